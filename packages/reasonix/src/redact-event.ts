/** Redacts what the agent tells people about itself; what models and tools wrote stays as it is. */
import type { AgentEvent } from "@reasonix-ts/events";

/** Notices, retries, states of extensions and the sentence that ends a turn badly; the same event where nothing is secret. */
export function redactEvent(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  switch (event.kind) {
    case "notice":
    case "retrying":
    case "extension_status":
    case "context_maintenance":
      return { ...event, text: redact(event.text) };
    case "turn_done":
      return event.outcome === "done" ? event : { ...event, text: redact(event.text) };
    default:
      return event;
  }
}
