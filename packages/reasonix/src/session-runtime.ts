/** One open session with its extensions: takes turns, reloads between them, and is closed as a whole. */
import { OFFLINE_HINT, OFFLINE_REF, type Models, type Session, type TurnResult } from "@reasonix-ts/agent";
import type { BuildFailure, Receipt, ReloadResult } from "@reasonix-ts/host";
import type { ExtensionRuntime } from "./extension-runtime.ts";
import type { Frontend } from "./frontend.ts";
import { CommandError } from "./world.ts";

export interface SessionParts {
  readonly session: Session;
  readonly extensions: ExtensionRuntime;
  readonly models: Models;
  readonly frontend: Frontend;
  /** Why no generation could be built at the start; turns are refused with it until a reload succeeds. */
  readonly failures: readonly BuildFailure[];
}

export class SessionRuntime {
  readonly session: Session;
  readonly extensions: ExtensionRuntime;
  readonly models: Models;
  readonly #frontend: Frontend;
  #failures: readonly BuildFailure[];
  #hinted = false;
  #turns = 0;

  constructor(parts: SessionParts) {
    this.session = parts.session;
    this.extensions = parts.extensions;
    this.models = parts.models;
    this.#frontend = parts.frontend;
    this.#failures = parts.failures;
  }

  /** Why turns are refused, or null. */
  get refusal(): string | null {
    return this.#failures.length === 0 ? null : refusalText(this.#failures);
  }

  /** Who ruled in the last turn; before the second, since the opening. */
  get receipts(): readonly Receipt[] {
    return this.extensions.receipts;
  }

  async turn(text: string, options: { readonly signal?: AbortSignal } = {}): Promise<TurnResult> {
    if (this.refusal !== null) throw new CommandError(this.refusal);
    this.#hintAtOffline();
    // The first turn's receipts begin with the opening of the session.
    if (this.#turns++ > 0) this.extensions.clearReceipts();
    return this.session.turn(text, options);
  }

  /** Builds the next generation and swaps to it; transcript, grants, goal and model stay with the session. */
  async reload(): Promise<ReloadResult> {
    const result = await this.extensions.reload();
    if (result.kind === "done") {
      this.#failures = [];
      this.session.useExtensions(this.extensions.port);
    }
    return result;
  }

  /** Ends the session, then its sidecars. A second call does nothing. */
  async close(): Promise<void> {
    try {
      await this.session.close();
    } finally {
      await this.extensions.stop();
    }
  }

  #hintAtOffline(): void {
    if (this.#hinted || this.session.model.ref !== OFFLINE_REF) return;
    this.#hinted = true;
    this.#frontend.emit({ kind: "notice", severity: "info", text: OFFLINE_HINT });
  }
}

/** What a person reads when a generation could not be built, with the ways out. */
export function refusalText(failures: readonly BuildFailure[]): string {
  return (
    `${failures.map((failure) => failure.message).join(" ")} ` +
    "Nothing is sent to a model meanwhile. `reasonix plugin doctor <name>` tells more, `reasonix plugin disable <name>` " +
    "goes on without it, and `--safe` starts without any plugin."
  );
}
