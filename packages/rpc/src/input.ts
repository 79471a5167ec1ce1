/** What comes in: pieces to frames, and the holds that keep a burst in the pipe. */
import { FrameReader, type FrameFault } from "./frames.ts";
import type { Transport, Wire } from "./wire.ts";

export interface InputSink {
  frame(text: string): void;
  fault(fault: FrameFault): void;
  /** One piece of input begins to be read. */
  pieceStarts(): void;
  /** It was read, or a hold stopped it; `frames` came out of it. */
  pieceEnds(frames: number): void;
  /** No more comes; `rest` is what there is of an unfinished frame. */
  ended(rest: Uint8Array | undefined): void;
  failed(cause: unknown): void;
}

export class Input {
  readonly wire: Wire;
  readonly #reader: FrameReader;
  readonly #sink: InputSink;
  #holds = 0;
  #frames = 0;
  /** The end came while a hold kept frames that were read before it. */
  #endWaits = false;
  #stopped = false;

  /** Opens the transport. */
  constructor(transport: Transport, limit: number, sink: InputSink) {
    this.#sink = sink;
    this.#reader = new FrameReader(transport.codec, limit, {
      frame: (text) => {
        this.#frames += 1;
        sink.frame(text);
        return this.#holds === 0;
      },
      fault: (fault) => sink.fault(fault),
    });
    this.wire = transport.open({
      received: (bytes) => this.#read(bytes),
      ended: () => this.#ended(),
      failed: (cause) => sink.failed(cause),
    });
  }

  /** Reads no further until the function that comes back is called. Holds add up. */
  hold(): () => void {
    if (this.#holds === 0) this.wire.pause();
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      this.#readOn();
    };
  }

  /** Reads nothing more and lets go of what is held. */
  stop(): void {
    this.#stopped = true;
    this.#reader.stop();
  }

  /** Reads a piece, or on where a hold stopped. */
  #read(piece: Uint8Array | undefined): void {
    this.#frames = 0;
    this.#sink.pieceStarts();
    try {
      if (piece === undefined) this.#reader.resume();
      else this.#reader.push(piece);
    } finally {
      this.#sink.pieceEnds(this.#frames);
    }
  }

  #readOn(): void {
    if (this.#holds > 0 || this.#stopped) return;
    if (this.#reader.stopped) this.#read(undefined);
    // What was read just now may hold or stop again.
    if (this.#holds > 0 || this.#stopped) return;
    if (this.#endWaits) this.#ended();
    else this.wire.resume();
  }

  #ended(): void {
    if (this.#reader.stopped) this.#endWaits = true;
    else this.#sink.ended(this.#reader.end());
  }
}
