/**
 * The one writer of a connection. Requests, replies and notifications go straight through and keep their order.
 * Observations wait in a bounded lane and are written only while the pipe is empty, so that a slow reader
 * costs dropped observations and never a call.
 */
import type { Clock } from "./clock.ts";
import type { TextCodec } from "./codec.ts";
import type { WrittenNotification } from "./encode.ts";
import { FrameTooLarge } from "./errors.ts";
import { defaultFrameLimit } from "./frames.ts";
import type { ObservationStats, PeerOptions } from "./options.ts";
import type { Wire } from "./wire.ts";

export type OutboxOptions = Pick<
  PeerOptions,
  "frameLimit" | "observations" | "stallMillis" | "trace" | "saturated" | "stalled"
>;

/** Characters that are gathered before they are written. */
const gatheredLimit = 65_536;
/** Observations up to so many bytes and frames may wait for a call to go with. */
const littleBytes = 4_096;
const littleFrames = 16;

interface Observation {
  readonly frame: string;
  readonly bytes: number;
}

export class Outbox {
  readonly #wire: Wire;
  readonly #codec: TextCodec;
  readonly #options: OutboxOptions;
  readonly #clock: Clock;
  readonly #frameLimit: number;
  readonly #queuedFrames: number;
  readonly #queuedLimit: number;
  readonly #batchLimit: number;
  readonly #stallMillis: number;
  #queue: Observation[] = [];
  #queuedBytes = 0;
  #dropped = 0;
  #inBurst = false;
  #gathering = false;
  #gathered = "";
  /** Whether and how a flush is on its way; one that finds nothing does nothing. */
  #flushing: "no" | "soon" | "now" = "no";
  #cancelStallTimer: (() => void) | undefined;
  #closed = false;

  constructor(wire: Wire, codec: TextCodec, options: OutboxOptions, clock: Clock) {
    this.#wire = wire;
    this.#codec = codec;
    this.#options = options;
    this.#clock = clock;
    this.#frameLimit = options.frameLimit ?? defaultFrameLimit;
    this.#queuedFrames = options.observations?.frames ?? 256;
    this.#queuedLimit = options.observations?.bytes ?? 8_388_608;
    this.#batchLimit = options.observations?.batchBytes ?? 65_536;
    this.#stallMillis = options.stallMillis ?? 10_000;
  }

  get stats(): ObservationStats {
    return { queuedFrames: this.#queue.length, queuedBytes: this.#queuedBytes, dropped: this.#dropped };
  }

  /** How much was sent and is not with the pipe yet, in the wire's unit. */
  get waiting(): number {
    return this.#wire.pending() + this.#gathered.length;
  }

  /**
   * Writes now, or with what else is gathered. Waiting observations go first if the pipe is empty.
   * Throws FrameTooLarge and then writes nothing.
   */
  send(method: string, frame: string): void {
    this.#check(method, frame);
    if (this.#closed) return;
    this.#options.trace?.("out", frame);
    if (!this.#gathering) this.#write(frame);
    else {
      this.#gathered += frame;
      if (this.#gathered.length > gatheredLimit) this.#writeGathered();
    }
  }

  /** From here to `release` what is sent is written together: many small writes are the price of a burst. */
  gather(): void {
    this.#gathering = true;
  }

  release(): void {
    this.#gathering = false;
    this.#writeGathered();
  }

  /** Queues. False if it was dropped because the lane is full or the frame over the limit. */
  observe(notification: WrittenNotification): boolean {
    if (this.#closed) return false;
    const { method, frame } = notification;
    const bytes = (notification.bytes ??= this.#codec.byteLength(frame));
    const full =
      bytes - 1 > this.#frameLimit ||
      this.#queue.length >= this.#queuedFrames ||
      this.#queuedBytes + bytes > this.#queuedLimit;
    if (full) {
      this.#drop(method);
      return false;
    }
    this.#queue.push({ frame, bytes });
    this.#queuedBytes += bytes;
    this.#scheduleFlush();
    return true;
  }

  /** Writes what is gathered, forgets the observations that wait, and writes nothing more. */
  close(): void {
    if (!this.#closed) this.#writeGathered();
    this.#closed = true;
    this.#dropped += this.#queue.length;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#cancelStallTimer?.();
    this.#cancelStallTimer = undefined;
  }

  /** Writes what waits as far as the pipe takes it; `done` is called when nothing waits any more. */
  drain(done: () => void): void {
    this.#writeGathered();
    this.#flush();
    if (this.#closed || (this.#queue.length === 0 && this.#wire.pending() === 0)) done();
    else this.#wire.whenIdle(() => this.drain(done));
  }

  #writeGathered(): void {
    if (this.#gathered === "") return;
    const frames = this.#gathered;
    this.#gathered = "";
    this.#write(frames);
  }

  #write(frames: string): void {
    const batch = this.#queue.length > 0 && this.#wire.pending() === 0 ? this.#takeBatch() : "";
    this.#wire.write(batch + frames);
    if (this.#options.stalled !== undefined && this.#wire.pending() > 0) this.#watch();
  }

  #check(method: string, frame: string): void {
    const limit = this.#frameLimit;
    // A UTF-16 unit takes at most three bytes: only frames near the limit are counted.
    if ((frame.length - 1) * 3 <= limit) return;
    const bytes = this.#codec.byteLength(frame) - 1;
    if (bytes > limit) throw new FrameTooLarge(method, bytes, limit);
  }

  #drop(method: string): void {
    this.#dropped += 1;
    if (this.#inBurst) return;
    this.#inBurst = true;
    this.#options.saturated?.({ method, ...this.stats });
  }

  /**
   * A little waits until the running task and all promises it settled are over: a call made by then takes it along
   * in one write. More goes at the end of the running task, together with what was observed with it.
   */
  #scheduleFlush(): void {
    const wanted = this.#queuedBytes > littleBytes || this.#queue.length > littleFrames ? "now" : "soon";
    if (this.#flushing === "now" || this.#flushing === wanted) return;
    this.#flushing = wanted;
    if (wanted === "now") queueMicrotask(this.#flush);
    else this.#wire.soon(this.#flush);
  }

  readonly #flush = (): void => {
    this.#flushing = "no";
    while (this.#queue.length > 0) {
      if (this.#wire.pending() > 0) {
        this.#flushing = "now";
        this.#wire.whenIdle(this.#flush);
        return;
      }
      this.#wire.write(this.#takeBatch());
    }
  };

  #takeBatch(): string {
    let text = "";
    let bytes = 0;
    let count = 0;
    for (const observation of this.#queue) {
      if (count > 0 && bytes + observation.bytes > this.#batchLimit) break;
      this.#options.trace?.("out", observation.frame);
      text += observation.frame;
      bytes += observation.bytes;
      count += 1;
    }
    this.#queue = count === this.#queue.length ? [] : this.#queue.slice(count);
    this.#queuedBytes -= bytes;
    if (this.#queue.length === 0) this.#inBurst = false;
    return text;
  }

  #watch(): void {
    if (this.#cancelStallTimer !== undefined) return;
    const before = this.#wire.progress();
    this.#cancelStallTimer = this.#clock.after(this.#stallMillis, () => {
      this.#cancelStallTimer = undefined;
      if (this.#closed || this.#wire.pending() === 0) return;
      if (this.#wire.progress() === before) this.#options.stalled?.({ millis: this.#stallMillis });
      if (!this.#closed) this.#watch();
    });
  }
}
