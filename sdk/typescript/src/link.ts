/** One connection to a host, as the parts that serve it see it. */
import { ConnectionClosed, type Peer } from "@reasonix-ts/rpc";
import type { Session } from "./context.ts";
import type { Extension } from "./define.ts";
import { failure } from "./failure.ts";
import { messageOf, type Log } from "./log.ts";

export interface Surroundings {
  /** The name under which the plugin is installed. */
  readonly pluginName: string;
  readonly log: Log;
  /** Takes credentials out of a text. */
  readonly redact: (text: string) => string;
  /** Hears that `onStart` failed, after it was logged. */
  readonly startFailed?: () => void;
}

export interface RequestOptions {
  readonly timeoutMillis?: number;
  readonly signal?: AbortSignal;
}

export class Link {
  readonly peer: Peer;
  readonly extension: Extension;
  readonly pluginName: string;
  readonly log: Log;
  readonly redact: (text: string) => string;
  /** Set while `onStart` runs, and for good if it failed; handlers wait for it. */
  starting: Promise<void> | null = null;
  readonly #startFailed: (() => void) | undefined;
  /** Resolves when the host has opened the barrier. */
  readonly opened: Promise<void>;
  #announceOpen: () => void = () => {};
  #isOpen = false;
  #session: Session | null = null;
  #lifetime: AbortController | undefined;
  #surfaces = 0;

  constructor(peer: Peer, extension: Extension, surroundings: Surroundings) {
    this.peer = peer;
    this.extension = extension;
    this.pluginName = surroundings.pluginName;
    this.log = surroundings.log;
    this.redact = surroundings.redact;
    this.#startFailed = surroundings.startFailed;
    this.opened = new Promise((resolve) => {
      this.#announceOpen = resolve;
    });
  }

  /** Throws an error reply while the handshake has not been. */
  get session(): Session {
    if (this.#session !== null) return this.#session;
    throw failure("protocol_error", "extension/initialize must be the first request on a connection");
  }

  /** Fires when the connection is over. */
  get signal(): AbortSignal {
    if (this.#lifetime === undefined) {
      const lifetime = new AbortController();
      this.#lifetime = lifetime;
      void this.peer.closed.then((reason) => lifetime.abort(new ConnectionClosed("extension", reason)));
    }
    return this.#lifetime.signal;
  }

  /** The handshake came. */
  greet(session: Session): void {
    if (this.#session !== null) throw failure("protocol_error", "extension/initialize came twice on one connection");
    this.#session = session;
  }

  /** The host opened the barrier: from now on requests go out. */
  open(): void {
    this.#isOpen = true;
    this.#announceOpen();
  }

  /** Runs `onStart`; handlers wait for it, and fail with its error if it fails. */
  start(work: () => Promise<void>): void {
    const starting = work().then(() => {
      this.starting = null;
    });
    this.starting = starting;
    starting.catch((error: unknown) => {
      this.log(`onStart failed: ${messageOf(error)}`, error);
      this.#startFailed?.();
    });
  }

  /** Asks the host, once the barrier is open; what is asked before waits for it. */
  async request(method: string, params: object, options: RequestOptions = {}): Promise<unknown> {
    if (!this.#isOpen) await Promise.race([this.opened, this.peer.closed]);
    return await this.peer.request(method, params, options);
  }

  nextSurfaceId(kind: string): string {
    this.#surfaces += 1;
    return `${kind}-${this.#surfaces}`;
  }
}
