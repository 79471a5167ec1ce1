/** One open session with its extensions: takes turns, reloads between them, and is closed as a whole. */
import {
  OFFLINE_HINT,
  OFFLINE_REF,
  type CompactionResult,
  type Models,
  type Session,
  type SessionChoice,
  type TurnResult,
} from "@reasonix-ts/agent";
import type { BuildFailure, Receipt, ReloadResult, UiCallResult } from "@reasonix-ts/host";
import type { ExtensionRuntime } from "./extension-runtime.ts";
import type { Frontend } from "./frontend.ts";
import { receiptLine, writeReceipts } from "./receipts-file.ts";
import { CommandError } from "./world.ts";

export interface SessionParts {
  readonly session: Session;
  /** Opens another session with the same extensions, models and settings. */
  readonly open: (choice: SessionChoice) => Promise<Session>;
  readonly extensions: ExtensionRuntime;
  readonly models: Models;
  readonly frontend: Pick<Frontend, "emit">;
  /** Why no generation could be built at the start; turns are refused with it until a reload succeeds. */
  readonly failures: readonly BuildFailure[];
  /** What is wrong with the list of plugins itself. */
  readonly problems: readonly string[];
}

/** A reload that was asked for: `awaits` is null where it runs at once, else what has to end before. */
export interface AskedReload {
  readonly awaits: string | null;
  /** Whether one was queued before, so that this request added none. */
  readonly wasQueued: boolean;
  readonly result: Promise<ReloadResult>;
}

export class SessionRuntime {
  readonly extensions: ExtensionRuntime;
  readonly models: Models;
  readonly problems: readonly string[];
  readonly #open: SessionParts["open"];
  readonly #frontend: Pick<Frontend, "emit">;
  #session: Session;
  #failures: readonly BuildFailure[];
  #hinted = false;
  #turns = 0;
  /** What runs now, in words, the oldest first. */
  readonly #work: string[] = [];
  #queued: { readonly result: Promise<ReloadResult>; readonly start: () => void } | null = null;
  #reloading: Promise<unknown> = Promise.resolve();

  constructor(parts: SessionParts) {
    this.#session = parts.session;
    this.#open = parts.open;
    this.extensions = parts.extensions;
    this.models = parts.models;
    this.#frontend = parts.frontend;
    this.#failures = parts.failures;
    this.problems = parts.problems;
  }

  get session(): Session {
    return this.#session;
  }

  get failures(): readonly BuildFailure[] {
    return this.#failures;
  }

  /** Whether a turn, a compaction, or what a person asked of an extension runs. */
  get busy(): boolean {
    return this.#work.length > 0;
  }

  /** Why turns are refused, or null. */
  get refusal(): string | null {
    return this.#failures.length === 0 ? null : refusalText(this.#failures);
  }

  /** Who ruled in the last turn; before the second, since the opening. */
  get receipts(): readonly Receipt[] {
    return this.extensions.receipts;
  }

  /** Waits for a reload that runs. Rejects with what `refusal` says where no generation could be built. */
  async turn(text: string, options: { readonly signal?: AbortSignal } = {}): Promise<TurnResult> {
    await this.#reloading;
    if (this.refusal !== null) throw new CommandError(this.refusal);
    this.#hintAtOffline();
    // The first turn's receipts begin with the opening of the session.
    if (this.#turns++ > 0) this.extensions.clearReceipts();
    return this.#working("the running turn", async () => {
      const result = await this.#session.turn(text, options);
      await this.#keepReceipts();
      return result;
    });
  }

  compact(guidance: string, options: { readonly signal?: AbortSignal } = {}): Promise<CompactionResult> {
    return this.#working("the compaction", () => this.#session.compact(guidance, options));
  }

  /** As `ExtensionRuntime.runAction`; a reload waits for it, since it may have a question open. */
  runAction(...call: Parameters<ExtensionRuntime["runAction"]>): Promise<UiCallResult> {
    return this.#working("the running action", () => this.extensions.runAction(...call));
  }

  /** As `ExtensionRuntime.submitForm`; a reload waits for it. */
  submitForm(...call: Parameters<ExtensionRuntime["submitForm"]>): Promise<UiCallResult> {
    return this.#working("the form that is sent", () => this.extensions.submitForm(...call));
  }

  /**
   * Builds the next generation and swaps to it: at once when idle, else once, when what runs is over.
   * `signal` gives up one that runs at once.
   */
  askReload(options: { readonly signal?: AbortSignal } = {}): AskedReload {
    const [awaits] = this.#work;
    if (awaits === undefined) return { awaits: null, wasQueued: false, result: this.#reload(options) };
    const wasQueued = this.#queued !== null;
    const queued = this.#queued ?? this.#queue();
    return { awaits, wasQueued, result: queued.result };
  }

  /** Ends the session and opens another one; when that one does not open, the old one is opened again. */
  async switchTo(choice: SessionChoice): Promise<void> {
    const { id } = this.#session;
    await this.#session.close();
    try {
      this.#session = await this.#open(choice);
    } catch (error) {
      this.#session = await this.#open({ kind: "resume", id });
      throw error;
    }
  }

  /** Ends the session, then its sidecars. A second call does nothing. */
  async close(): Promise<void> {
    try {
      await this.#session.close();
    } finally {
      await this.extensions.stop();
    }
  }

  async #working<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.#work.push(name);
    try {
      return await work();
    } finally {
      this.#work.splice(this.#work.indexOf(name), 1);
      if (this.#work.length === 0) this.#queued?.start();
    }
  }

  #queue(): { readonly result: Promise<ReloadResult>; readonly start: () => void } {
    let start = (): void => {};
    const result = new Promise<void>((resolve) => {
      start = resolve;
    }).then(() => this.#reload());
    this.#queued = { result, start };
    return this.#queued;
  }

  #reload(options: { readonly signal?: AbortSignal } = {}): Promise<ReloadResult> {
    this.#queued = null;
    const result = this.extensions.reload(options).then((outcome) => {
      if (outcome.kind !== "done") return outcome;
      this.#failures = [];
      this.#session.useExtensions(this.extensions.port);
      return outcome;
    });
    this.#reloading = result.catch(() => {});
    return result;
  }

  async #keepReceipts(): Promise<void> {
    if (this.extensions.port === null) return;
    try {
      await writeReceipts(this.#session.file, this.receipts.map(receiptLine));
    } catch (error) {
      // The turn itself is done and saved; who ruled in it is missing for `reasonix extensions` alone.
      const why = error instanceof Error ? error.message : String(error);
      this.#frontend.emit({ kind: "notice", severity: "warn", text: `The turn's receipts were not kept: ${why}` });
    }
  }

  #hintAtOffline(): void {
    if (this.#hinted || this.#session.model.ref !== OFFLINE_REF) return;
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
