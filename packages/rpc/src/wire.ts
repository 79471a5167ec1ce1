/** What a peer needs of the two pipes it runs on. Node's streams and the in-memory pair implement it. */
import type { TextCodec } from "./codec.ts";

export interface Wire {
  /** Hands frames to the pipe. Never throws; a failure is told to the listener. */
  write(frames: string): void;
  /** 0 exactly when the pipe has taken all that was handed over. */
  pending(): number;
  /** A count that grows whenever the pipe takes something while `pending` is not 0. */
  progress(): number;
  /** Calls `run` once when `pending` is 0; never after `destroy`. */
  whenIdle(run: () => void): void;
  /** Calls `run` when the running task, with all promises it settled, is over. */
  soon(run: () => void): void;
  /** Stops and restarts reading; what is in the pipe stays there. */
  pause(): void;
  resume(): void;
  /** Ends this side's output after what was handed over; input goes on. */
  end(): void;
  /** Lets go of both pipes at once. The listener hears nothing more. */
  destroy(): void;
}

export interface WireListener {
  received(bytes: Uint8Array): void;
  /** The other side ended its output. */
  ended(): void;
  failed(cause: unknown): void;
}

export interface Transport {
  readonly codec: TextCodec;
  /** Called once, by the peer that uses it. Nothing is told to the listener before `open` has returned. */
  open(listener: WireListener): Wire;
}
