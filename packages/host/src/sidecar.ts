/** One running extension process with its connection: starting, ready, draining, gone. */
import { DEADLINES, type InitializeResult } from "@reasonix-ts/protocol";
import { CallTimeout, ConnectionClosed, RpcError, type CloseReason, type Peer } from "@reasonix-ts/rpc";
import type { Exit, ManagedProcess, Tail } from "@reasonix-ts/process";
import type { Grant } from "./capabilities.ts";
import type { HostClock } from "./clock.ts";
import { ContentStore } from "./content-store.ts";
import { deathOf, type Death } from "./death.ts";
import { InterceptClock } from "./intercept-clock.ts";
import type { Notice } from "./ports.ts";
import type { SidecarSpec } from "./spec.ts";

/**
 * starting → ready: the handshake was judged good and `initialized` was written.
 * starting, ready → gone: the connection or the process ended by itself, or the start was given up.
 * ready → draining → gone: `stop` was called.
 * There is no way back: a sidecar that is gone is started anew by a reload only.
 */
export type SidecarState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly declaration: InitializeResult }
  | { readonly kind: "draining" }
  | { readonly kind: "gone"; readonly death: Death };

export interface SidecarParts {
  readonly spec: SidecarSpec;
  readonly generation: number;
  readonly process: ManagedProcess;
  readonly stderr: Tail;
  readonly clock: HostClock;
  readonly redact: (text: string) => string;
  readonly notice: (notice: Notice) => void;
  /** Whether there is somebody who can reload. */
  readonly reloads: boolean;
}

/** Before its handshake a sidecar may do nothing. */
const NOTHING: Grant = {
  capabilities: new Set(),
  intercepts: new Set(),
  replaces: new Set(),
  tools: new Set(),
  providers: [],
  uiActions: [],
};

/** How long a process whose output ended may take to end itself, so that its own exit code is told. */
const LAST_BREATH_MILLIS = 250;

/** How long the end of stderr is waited for once nobody is left who could write to it. */
const LAST_WORDS_MILLIS = 500;

export class Sidecar {
  readonly spec: SidecarSpec;
  readonly generation: number;
  readonly peer: Peer;
  /** What this sidecar may page back. */
  readonly content: ContentStore;
  readonly interceptClock: InterceptClock;
  /** Settles with the cause once the process is gone; never rejects. */
  readonly gone: Promise<Death>;
  readonly #parts: SidecarParts;
  #state: SidecarState = { kind: "starting" };
  #grant: Grant = NOTHING;
  #seq = 0;
  #stopping: Promise<void> | undefined;

  /** `connect` opens the peer on the process's pipes. */
  constructor(parts: SidecarParts, connect: (sidecar: Sidecar) => Peer) {
    this.#parts = parts;
    this.spec = parts.spec;
    this.generation = parts.generation;
    this.content = new ContentStore(parts.clock);
    this.interceptClock = new InterceptClock(parts.clock);
    this.peer = connect(this);
    this.gone = this.peer.closed.then((reason) => this.#bury(reason));
    void parts.process.exited.then(() => this.#closeAfterExit());
  }

  get pid(): number {
    return this.#parts.process.pid;
  }

  get state(): SidecarState {
    return this.#state;
  }

  get grant(): Grant {
    return this.#grant;
  }

  /** The number of the next intercept: from 1, without holes. */
  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Opens the barrier. */
  ready(declaration: InitializeResult, grant: Grant): void {
    this.#state = { kind: "ready", declaration };
    this.#grant = grant;
  }

  /** Ends the connection and the process's tree at once; settles when both are gone. */
  async kill(reason: CloseReason): Promise<Death> {
    this.peer.close(reason);
    const death = await this.gone;
    await this.#parts.process.end();
    return death;
  }

  /** The ladder: shutdown request, input closed, grace, tree killed. Under ten seconds; every call shares the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#descend();
    return this.#stopping;
  }

  async #descend(): Promise<void> {
    if (this.#state.kind === "ready") {
      this.#state = { kind: "draining" };
      await this.#askToShutDown();
      this.peer.end();
      await this.#parts.process.end({ graceMillis: DEADLINES.shutdownGrace });
    }
    await this.kill({ kind: "closed", message: "the host stopped it" });
  }

  async #askToShutDown(): Promise<void> {
    const timeoutMillis = DEADLINES.shutdownRequest;
    try {
      await this.peer.request("extension/shutdown", { timeoutMillis }, { timeoutMillis });
    } catch (error) {
      if (error instanceof CallTimeout) {
        this.#parts.notice({
          severity: "warn",
          code: "shutdown_timeout",
          plugin: this.spec.plugin,
          text: `Plugin "${this.spec.plugin}" did not answer extension/shutdown within ${timeoutMillis} ms (shutdown_timeout); it is ended by force.`,
        });
      } else if (!(error instanceof RpcError || error instanceof ConnectionClosed)) throw error;
    }
  }

  /** Descendants may hold the output open after the process itself is gone: they go too, and then the connection. */
  async #closeAfterExit(): Promise<void> {
    if (this.peer.reason !== undefined) return;
    await this.#parts.process.end({ graceMillis: 0 });
    // What the process wrote last is still being read.
    let cancel = (): void => {};
    const waited = new Promise<void>((resolve) => {
      cancel = this.#parts.clock.after(100, resolve);
    });
    await Promise.race([this.peer.closed, waited]);
    cancel();
    this.peer.close({ kind: "closed", message: "the process ended" });
  }

  /** The connection is over: the process ends too, and the cause is written down. */
  async #bury(reason: CloseReason): Promise<Death> {
    const { process, stderr, spec, redact, notice, reloads } = this.#parts;
    const wanted = this.#state.kind === "draining";
    const wasReady = this.#state.kind === "ready";
    this.#state = { kind: "draining" };
    this.content.close();
    const ending = process.end({
      graceMillis: wanted ? DEADLINES.shutdownGrace : reason.kind === "ended" ? LAST_BREATH_MILLIS : 0,
    });
    const exit: Exit | null = await Promise.race([process.exited, ending.then((report) => report.exit)]);
    // Whose SIGKILL it was is known at the end only; every other ending tells itself.
    const killed = exit?.signal === "SIGKILL" && (await ending).killed;
    // The tree is gone, and what it wrote last is in the pipe: it is read within moments, also on a busy machine.
    await Promise.race([stderr.ended, ending.then(() => stderr.drained(LAST_WORDS_MILLIS))]);
    const written = stderr.text();
    const death = deathOf({ plugin: spec.plugin, reason, exit, killed, stderr: written, redact, wanted, reloads });
    this.#state = { kind: "gone", death };
    if (wasReady)
      notice({
        severity: spec.required ? "error" : "warn",
        code: "sidecar_died",
        plugin: spec.plugin,
        text: death.message,
      });
    void ending.then(({ survivors }) => {
      if (survivors.length === 0) return;
      const text = `Processes of plugin "${spec.plugin}" could not be ended: pid ${survivors.join(", ")} (cleanup_failed).`;
      notice({ severity: "warn", code: "cleanup_failed", plugin: spec.plugin, text });
    });
    return death;
  }
}
