/** Two peers joined in memory by real bytes, whose link a test can cut, hold and garble. */
import { portableCodec } from "./codec.ts";
import type { PeerOptions } from "./options.ts";
import { createPeer, type Peer } from "./peer.ts";
import type { Transport, Wire, WireListener } from "./wire.ts";

export type Side = "left" | "right";

export interface Link {
  /** Both sides see the other's end at once; bytes under way are lost. */
  cut(): void;
  /** Both sides see a broken pipe with this cause; bytes under way are lost. */
  fail(cause: unknown): void;
  /** Keeps what `from` writes until the function that comes back is called: a reader that does not read. */
  hold(from: Side): () => void;
  /** Passes every piece that `from` writes through `change`; undefined loses the piece. */
  garble(from: Side, change: (bytes: Uint8Array) => Uint8Array | undefined): void;
  /** Cuts what `from` writes into pieces of at most `bytes`. */
  split(from: Side, bytes: number): void;
  /** Gives bytes to the side opposite `from` as if `from` had written them. */
  inject(from: Side, bytes: Uint8Array | string): void;
}

export interface Pair {
  readonly left: Peer;
  readonly right: Peer;
  readonly link: Link;
}

export function createPair(left: PeerOptions = {}, right: PeerOptions = {}): Pair {
  const toRight = new Lane();
  const toLeft = new Lane();
  const lanes = { left: toRight, right: toLeft } as const;
  return {
    left: createPeer(transport(toRight, toLeft), left),
    right: createPeer(transport(toLeft, toRight), right),
    link: {
      cut: () => {
        for (const lane of [toRight, toLeft]) lane.cut();
      },
      fail: (cause) => {
        for (const lane of [toRight, toLeft]) lane.fail(cause);
      },
      hold: (from) => lanes[from].hold(),
      garble: (from, change) => lanes[from].garble(change),
      split: (from, bytes) => lanes[from].split(bytes),
      inject: (from, bytes) => lanes[from].write(typeof bytes === "string" ? encoder.encode(bytes) : bytes),
    },
  };
}

const encoder = new TextEncoder();

/** One direction. Delivers in microtasks, in order, one piece each. */
class Lane {
  #listener: WireListener | undefined;
  #queue: Uint8Array[] = [];
  #queued = 0;
  #taken = 0;
  #holds = 0;
  #piece = Number.POSITIVE_INFINITY;
  #change: (bytes: Uint8Array) => Uint8Array | undefined = (bytes) => bytes;
  #ending = false;
  #closed = false;
  #scheduled = false;
  #idle: (() => void)[] = [];

  get pending(): number {
    return this.#queued;
  }

  get taken(): number {
    return this.#taken;
  }

  readBy(listener: WireListener): void {
    this.#listener = listener;
  }

  write(bytes: Uint8Array): void {
    if (this.#closed || this.#ending) return;
    for (let start = 0; start < bytes.length; start += this.#piece) {
      this.#queue.push(bytes.subarray(start, start + this.#piece));
    }
    this.#queued += bytes.length;
    this.#schedule();
  }

  whenIdle(run: () => void): void {
    this.#idle.push(run);
    this.#schedule();
  }

  hold(): () => void {
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      this.#schedule();
    };
  }

  garble(change: (bytes: Uint8Array) => Uint8Array | undefined): void {
    this.#change = change;
  }

  split(bytes: number): void {
    this.#piece = bytes;
  }

  /** The writer ends: the reader hears of it after what is under way. */
  end(): void {
    this.#ending = true;
    this.#schedule();
  }

  cut(): void {
    if (this.#close()) queueMicrotask(() => this.#listener?.ended());
  }

  fail(cause: unknown): void {
    if (this.#close()) queueMicrotask(() => this.#listener?.failed(cause));
  }

  /** The reader is gone. */
  abandon(): void {
    this.#listener = undefined;
    this.#close();
  }

  #close(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#queue = [];
    this.#queued = 0;
    this.#idle = [];
    return true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed || this.#holds > 0) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#scheduled = false;
    if (this.#closed || this.#holds > 0) return;
    const piece = this.#queue.shift();
    if (piece !== undefined) {
      this.#queued -= piece.length;
      this.#taken += 1;
      const bytes = this.#change(piece);
      if (bytes !== undefined) this.#listener?.received(bytes);
      this.#schedule();
      return;
    }
    const waiting = this.#idle;
    this.#idle = [];
    for (const run of waiting) run();
    if (this.#queue.length > 0) this.#schedule();
    else if (this.#ending) this.cut();
  }
}

function transport(out: Lane, into: Lane): Transport {
  return {
    codec: portableCodec,
    open: (listener): Wire => {
      into.readBy(listener);
      let resume: (() => void) | undefined;
      return {
        write: (frames) => out.write(encoder.encode(frames)),
        pending: () => out.pending,
        progress: () => out.taken,
        whenIdle: (run) => out.whenIdle(run),
        soon: (run) => queueMicrotask(run),
        pause: () => {
          resume ??= into.hold();
        },
        resume: () => {
          resume?.();
          resume = undefined;
        },
        end: () => out.end(),
        destroy: () => {
          out.cut();
          into.abandon();
        },
      };
    },
  };
}
