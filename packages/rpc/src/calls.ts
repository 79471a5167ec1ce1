/** The calls that wait for a reply: each settles once, and takes its timer and its listener with it. */
import type { Clock } from "./clock.ts";
import { CallAborted, CallTimeout, ConnectionClosed, type CloseReason } from "./errors.ts";
import type { CallOptions } from "./options.ts";
import { SignalWatch } from "./signal-watch.ts";

export interface PendingCall {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  cancelTimer: (() => void) | undefined;
  stopListening: (() => void) | undefined;
}

export class Calls {
  readonly #clock: Clock;
  readonly #signals = new SignalWatch();
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#pending.size;
  }

  /** Ids count up from 1 and are never used twice. */
  reserve(): number {
    const id = this.#nextId;
    this.#nextId = id + 1;
    return id;
  }

  /** Notes a call under a reserved id, bounded by the time and the signal of `options`; false if its time is over. */
  add(
    id: number,
    method: string,
    options: CallOptions | undefined,
    resolve: PendingCall["resolve"],
    reject: PendingCall["reject"],
  ): boolean {
    const call: PendingCall = { method, resolve, reject, cancelTimer: undefined, stopListening: undefined };
    this.#pending.set(id, call);
    if (options === undefined) return true;
    this.#bound(id, call, options);
    return this.#pending.has(id);
  }

  /** Takes a call out, to be settled. Undefined if it has ended or was never made. */
  take(id: number): PendingCall | undefined {
    const call = this.#pending.get(id);
    if (call === undefined) return undefined;
    this.#pending.delete(id);
    letGo(call);
    return call;
  }

  wasMade(id: number): boolean {
    return id > 0 && id < this.#nextId;
  }

  rejectAll(reason: CloseReason): void {
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const call of calls) {
      letGo(call);
      call.reject(new ConnectionClosed(call.method, reason));
    }
  }

  #bound(id: number, call: PendingCall, { deadline, timeoutMillis, signal }: CallOptions): void {
    const millis = deadline === undefined ? timeoutMillis : deadline.timeoutMillis;
    if (millis !== undefined && millis !== Number.POSITIVE_INFINITY) {
      const expire = (): void => this.take(id)?.reject(new CallTimeout(call.method, millis));
      call.cancelTimer = deadline === undefined ? this.#clock.after(millis, expire) : deadline.onExpired(expire);
    }
    // Its time may have been over already.
    if (signal !== undefined && this.#pending.has(id)) {
      const abort = (): void => this.take(id)?.reject(new CallAborted(call.method, signal.reason));
      call.stopListening = this.#signals.watch(signal, abort);
    }
  }
}

function letGo(call: PendingCall): void {
  call.cancelTimer?.();
  call.stopListening?.();
}
