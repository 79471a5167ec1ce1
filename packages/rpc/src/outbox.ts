/**
 * The one writer of a connection. Requests, replies and notifications go straight through and keep their order.
 * Observations wait in a bounded lane and are written only while the pipe is empty, so that a slow reader
 * costs dropped observations and never a call.
 */
import type { Clock } from "./clock.ts";
import type { TextCodec } from "./codec.ts";
import { FrameTooLarge } from "./errors.ts";
import type { Wire } from "./wire.ts";

export interface OutboxLimits {
  /** Bytes of JSON text in one frame. */
  readonly frame: number;
  /** Observations that may wait. */
  readonly queuedFrames: number;
  /** Bytes of observations that may wait. */
  readonly queuedBytes: number;
  /** Bytes of observations handed to the pipe at a time (one longer frame may go alone). */
  readonly batchBytes: number;
  /** Milliseconds without progress, while more than observations waits to be written, that count as a stall. */
  readonly stallMillis: number;
}

export interface Saturation {
  /** Method of the first observation of this burst that was dropped. */
  readonly method: string;
  readonly queuedFrames: number;
  readonly queuedBytes: number;
  /** Observations dropped since the connection began, this one included. */
  readonly dropped: number;
}

export interface Stall {
  /** How long nothing was written, in milliseconds. */
  readonly millis: number;
}

export interface OutboxEvents {
  trace?(frame: string): void;
  saturated?(saturation: Saturation): void;
  stalled?(stall: Stall): void;
}

export interface ObservationStats {
  readonly queuedFrames: number;
  readonly queuedBytes: number;
  readonly dropped: number;
}

interface Observation {
  readonly frame: string;
  readonly bytes: number;
}

export class Outbox {
  readonly #wire: Wire;
  readonly #codec: TextCodec;
  readonly #limits: OutboxLimits;
  readonly #events: OutboxEvents;
  readonly #clock: Clock;
  #queue: Observation[] = [];
  #queuedBytes = 0;
  #dropped = 0;
  #inBurst = false;
  #flushScheduled = false;
  #cancelStallTimer: (() => void) | undefined;
  #closed = false;

  constructor(wire: Wire, codec: TextCodec, limits: OutboxLimits, events: OutboxEvents, clock: Clock) {
    this.#wire = wire;
    this.#codec = codec;
    this.#limits = limits;
    this.#events = events;
    this.#clock = clock;
  }

  get stats(): ObservationStats {
    return { queuedFrames: this.#queue.length, queuedBytes: this.#queuedBytes, dropped: this.#dropped };
  }

  /** Writes now. Waiting observations go first if the pipe is empty. Throws FrameTooLarge and then writes nothing. */
  send(method: string, frame: string): void {
    this.#check(method, frame);
    if (this.#closed) return;
    const batch = this.#queue.length > 0 && this.#wire.pending() === 0 ? this.#takeBatch() : "";
    this.#events.trace?.(frame);
    this.#wire.write(batch + frame);
    if (this.#events.stalled !== undefined && this.#wire.pending() > 0) this.#watch();
  }

  /** Queues. False if it was dropped because the lane is full or the frame over the limit. */
  observe(method: string, frame: string): boolean {
    if (this.#closed) return false;
    const bytes = this.#codec.byteLength(frame);
    const full =
      bytes - 1 > this.#limits.frame ||
      this.#queue.length >= this.#limits.queuedFrames ||
      this.#queuedBytes + bytes > this.#limits.queuedBytes;
    if (full) {
      this.#drop(method);
      return false;
    }
    this.#queue.push({ frame, bytes });
    this.#queuedBytes += bytes;
    this.#scheduleFlush();
    return true;
  }

  /** Forgets what waits and writes nothing more. */
  close(): void {
    this.#closed = true;
    this.#dropped += this.#queue.length;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#cancelStallTimer?.();
    this.#cancelStallTimer = undefined;
  }

  /** Writes what waits as far as the pipe takes it; `done` is called when nothing waits any more. */
  drain(done: () => void): void {
    this.#flush();
    if (this.#closed) return;
    if (this.#queue.length === 0 && this.#wire.pending() === 0) done();
    else this.#wire.whenIdle(() => this.drain(done));
  }

  #check(method: string, frame: string): void {
    const { frame: limit } = this.#limits;
    // A UTF-16 unit takes at most three bytes: only frames near the limit are counted.
    if ((frame.length - 1) * 3 <= limit) return;
    const bytes = this.#codec.byteLength(frame) - 1;
    if (bytes > limit) throw new FrameTooLarge(method, bytes, limit);
  }

  #drop(method: string): void {
    this.#dropped += 1;
    if (this.#inBurst) return;
    this.#inBurst = true;
    this.#events.saturated?.({ method, ...this.stats });
  }

  /** At the end of the running task, so that observations made together are written together. */
  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    queueMicrotask(this.#flush);
  }

  readonly #flush = (): void => {
    this.#flushScheduled = false;
    while (this.#queue.length > 0) {
      if (this.#wire.pending() > 0) {
        this.#flushScheduled = true;
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
      if (count > 0 && bytes + observation.bytes > this.#limits.batchBytes) break;
      this.#events.trace?.(observation.frame);
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
    this.#cancelStallTimer = this.#clock.after(this.#limits.stallMillis, () => {
      this.#cancelStallTimer = undefined;
      if (this.#closed || this.#wire.pending() === 0) return;
      if (this.#wire.progress() === before) this.#events.stalled?.({ millis: this.#limits.stallMillis });
      if (!this.#closed) this.#watch();
    });
  }
}
