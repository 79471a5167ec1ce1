/** What every frontend implements; one contract test runs over all of them. */
import type { Person } from "@reasonix-ts/agent";
import type { AgentEvent } from "@reasonix-ts/events";
import type { UiHost } from "@reasonix-ts/protocol";

export interface Frontend {
  /** What extensions are told about where surfaces appear. */
  readonly uiHost: UiHost;
  /** Who answers permissions and questions; not present where nobody can. */
  readonly person: Person;
  /** Takes every event in order, never throws, and drops a kind that it does not know. */
  emit(event: AgentEvent): void;
  /** After the last event: writes what was held back. */
  close(): void;
}
