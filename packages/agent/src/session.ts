/** The front door of the agent: a session that is opened, takes turns, and is closed. */
import type { Lock } from "@reasonix-ts/files";
import type { CompactionResult } from "./compaction/how.ts";
import type { Spending } from "./meter.ts";
import type { Permissions } from "./permissions/permissions.ts";
import * as points from "./points.ts";
import type { ExtensionLease, Extensions } from "./ports.ts";
import type { PrefixReport } from "./prompt/prefix.ts";
import { SessionCore, type SessionPorts } from "./session-core.ts";
import { SessionError } from "./session-error.ts";
import type { TranscriptEntry } from "./session/replay.ts";
import { exportMarkdown } from "./session/export.ts";
import { announce, openNewSession, openSession, type SessionChoice } from "./session-opening.ts";
import { newSessionId } from "./session/store.ts";
import { undoLastTurn, type UndoReport } from "./session/undo.ts";
import { compactOnDemand, runTurn, type TurnInput, type TurnResult } from "./turn.ts";
import type { JobView } from "./tools/jobs.ts";
import type { Todo } from "./tools/services.ts";

export interface Session {
  readonly id: string;
  /** The transcript's file. */
  readonly file: string;
  readonly workspaceRoot: string;
  readonly model: { readonly ref: string; readonly effort: string | null };
  /** Whether a turn or a compaction runs. */
  readonly busy: boolean;
  readonly goal: string | null;
  readonly todos: readonly Todo[];
  /** What people see of the conversation, folded messages included. */
  readonly entries: readonly TranscriptEntry[];
  readonly spent: Spending;
  /** The hash of what requests begin with, and what changed it; null before the first turn. */
  readonly prefix: PrefixReport | null;
  readonly permissions: Permissions;
  readonly jobs: readonly JobView[];
  /** Runs one turn; never rejects for what goes wrong inside it. Rejects with SessionError `busy` or `closed`. */
  turn(input: string | TurnInput, options?: { readonly signal?: AbortSignal }): Promise<TurnResult>;
  /** Takes effect with the next turn. */
  setModel(ref: string, effort?: string | null): Promise<void>;
  /** Null clears it. */
  setGoal(goal: string | null): Promise<void>;
  /** Folds the conversation now, however much room there is; `guidance` says what the summary should heed. */
  compact(guidance?: string, options?: { readonly signal?: AbortSignal }): Promise<CompactionResult>;
  /** The conversation as Markdown. */
  export(): string;
  /** Puts files back as they were before the last turn that changed any; null when there is none. */
  undo(): Promise<UndoReport | null>;
  /** Ends this conversation and begins a new one under the same session object. Rejects with SessionError `refused`. */
  rotate(): Promise<void>;
  /** Carries the session over to other extensions, after a reload that installed the first or removed the last. */
  useExtensions(extensions: Extensions | null): void;
  /** Ends jobs, tells session.end, closes the file. A second call does nothing. */
  close(): Promise<void>;
}

/** Opens a session; rejects with SessionError `refused`, `in_use` or `not_found`. */
export async function createSession(ports: SessionPorts, choice: SessionChoice = { kind: "new" }): Promise<Session> {
  const opened = await openSession(ports, choice);
  const core = new SessionCore(ports, opened.id, opened.transcript);
  try {
    for (const text of opened.repairs) core.events.emit({ kind: "notice", severity: "info", text });
    await announce(core, choice.kind === "new" ? "start" : "load");
  } catch (error) {
    await opened.transcript.close();
    opened.lock.release();
    throw error;
  }
  return new OpenSession(core, opened.lock);
}

class OpenSession implements Session {
  readonly #core: SessionCore;
  #lock: Lock;
  #working: Promise<unknown> | null = null;
  #stop = new AbortController();
  #closing: Promise<void> | null = null;

  constructor(core: SessionCore, lock: Lock) {
    this.#core = core;
    this.#lock = lock;
  }

  get id(): string {
    return this.#core.id;
  }

  get file(): string {
    return this.#core.paths.transcript;
  }

  get workspaceRoot(): string {
    return this.#core.ports.workspaceRoot;
  }

  get model(): { readonly ref: string; readonly effort: string | null } {
    return this.#core.model;
  }

  get busy(): boolean {
    return this.#working !== null;
  }

  get goal(): string | null {
    return this.#core.transcript.state.goal;
  }

  get todos(): readonly Todo[] {
    return this.#core.todos;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#core.transcript.entries;
  }

  get spent(): Spending {
    return this.#core.meter.spent;
  }

  get prefix(): PrefixReport | null {
    return this.#core.prefix;
  }

  get permissions(): Permissions {
    return this.#core.permissions;
  }

  get jobs(): readonly JobView[] {
    return this.#core.jobs.list();
  }

  async turn(input: string | TurnInput, options: { readonly signal?: AbortSignal } = {}): Promise<TurnResult> {
    const given = typeof input === "string" ? { text: input } : input;
    return await this.#exclusively(options.signal, (signal) => runTurn(this.#core, given, signal));
  }

  async setModel(ref: string, effort: string | null = null): Promise<void> {
    this.#mustBeOpen();
    await this.#core.setModel(ref, effort);
  }

  async setGoal(goal: string | null): Promise<void> {
    this.#mustBeOpen();
    await this.#core.transcript.record({ type: "goal", goal });
  }

  async compact(guidance = "", options: { readonly signal?: AbortSignal } = {}): Promise<CompactionResult> {
    return await this.#exclusively(options.signal, (signal) => compactOnDemand(this.#core, guidance, signal));
  }

  export(): string {
    return exportMarkdown(`Session ${this.id}`, this.entries);
  }

  async undo(): Promise<UndoReport | null> {
    return await this.#exclusively(undefined, () => undoLastTurn(this.#core.paths.undo));
  }

  async rotate(): Promise<void> {
    await this.#exclusively(undefined, () => this.#rotate());
  }

  useExtensions(extensions: Extensions | null): void {
    this.#core.useExtensions(extensions);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #rotate(): Promise<void> {
    const core = this.#core;
    const lease = core.lease();
    try {
      const scope = { agent: "main", sessionId: core.id };
      const ruled = await points.sessionRotate(lease, core.paths.transcript, scope);
      if (ruled.kind !== "proceed") throw new SessionError("refused", `No new session was begun. ${ruled.text}`);
      const next = await openNewSession(core.ports, newSessionId(core.clock.now()));
      await this.#finish(lease);
      this.#lock = next.lock;
      await core.useTranscript(next.id, next.transcript);
      const started = await points.sessionStart(lease, core.paths.transcript, { ...scope, sessionId: core.id });
      if (started.kind !== "proceed") {
        const text = `The new session was begun although it was refused: ${started.text}`;
        core.events.emit({ kind: "notice", severity: "error", text, plugin: started.plugin });
      }
    } finally {
      lease?.release();
    }
  }

  async #close(): Promise<void> {
    this.#stop.abort(new SessionError("closed", "The session was closed."));
    // The running turn ends with the abort; its own result says how.
    await this.#working?.catch(() => {});
    const lease = this.#core.lease();
    try {
      await this.#finish(lease);
    } finally {
      lease?.release();
      await this.#core.jobs.close();
    }
  }

  /** The end of one stored session: what is unsaved is tried once more, session.end is told, the file is closed. */
  async #finish(lease: ExtensionLease | null): Promise<void> {
    const core = this.#core;
    try {
      if (core.unsaved) await core.save(lease);
      const ruled = await points.sessionEnd(lease, core.paths.transcript, { agent: "main", sessionId: core.id });
      if (ruled.kind !== "proceed") {
        const text = `The session was closed all the same: ${ruled.text}`;
        core.events.emit({ kind: "notice", severity: "warn", text, plugin: ruled.plugin });
      }
    } finally {
      await core.transcript.close();
      this.#lock.release();
    }
  }

  #mustBeOpen(): void {
    if (this.#closing !== null) throw new SessionError("closed", "The session is closed; open it again to go on.");
  }

  async #exclusively<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#mustBeOpen();
    if (this.#working !== null) {
      throw new SessionError("busy", "The session is at work; wait for the end of the turn, or interrupt it.");
    }
    const stop = this.#stop.signal;
    const doing = work(signal === undefined ? stop : AbortSignal.any([signal, stop]));
    this.#working = doing;
    try {
      return await doing;
    } finally {
      this.#working = null;
    }
  }
}
