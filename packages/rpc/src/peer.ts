/** One end of a connection: sends calls, matches replies, answers requests, and settles everything when it closes. */
import { Calls, type PendingCall } from "./calls.ts";
import { systemClock } from "./clock.ts";
import { notificationFrame, requestFrame, type Members } from "./encode.ts";
import { readEnvelope, type Envelope } from "./envelope.ts";
import { CallAborted, CallTimeout, ConnectionClosed, RpcError, type CloseReason } from "./errors.ts";
import { defaultFrameLimit, FrameReader, type FrameFault } from "./frames.ts";
import { Inbound } from "./inbound.ts";
import type {
  CallOptions,
  NotificationHandler,
  NotificationOptions,
  NotifyOptions,
  PeerOptions,
  RequestHandler,
} from "./options.ts";
import { Outbox, type ObservationStats } from "./outbox.ts";
import { quote } from "./quote.ts";
import type { Transport, Wire } from "./wire.ts";

export interface Peer {
  /**
   * Calls the other side. Rejects with RpcError (an error reply), CallTimeout, CallAborted, ConnectionClosed,
   * FrameTooLarge (nothing was sent), or a TypeError when the params have no JSON text.
   */
  request(method: string, params?: Members, options?: CallOptions): Promise<unknown>;
  /** Tells the other side, in order with requests and replies. False after close. Throws FrameTooLarge. */
  notify(method: string, params?: Members, options?: NotifyOptions): boolean;
  /**
   * Tells the other side without ever standing in the way of a call: see the observation lane in PeerOptions.
   * On an empty pipe it is written before the next request; where order is a promise use `notify`.
   * False if it was dropped.
   */
  observe(method: string, params?: Members, options?: NotifyOptions): boolean;
  /** One handler a method; a second throws a TypeError. Unknown methods are answered -32601. */
  onRequest(method: string, handler: RequestHandler): void;
  /** One handler a method; a second throws a TypeError. Unknown methods are ignored. */
  onNotification(method: string, handler: NotificationHandler, options?: NotificationOptions): void;
  /** Stops reading until the function that comes back is called. Holds add up. */
  holdReading(): () => void;
  /** Resolves when all that was written and observed so far is with the pipe, or the connection is closed. */
  flushed(): Promise<void>;
  /** Ends this side's output once it is flushed; input goes on, so that replies and the other side's end are seen. */
  end(): void;
  /** Ends the connection now: every pending call rejects, what is not flushed is lost. Only the first reason counts. */
  close(reason?: CloseReason): void;
  /** Resolves with the reason when the connection is over. Never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Undefined while the connection is open. */
  readonly reason: CloseReason | undefined;
  /** Calls that wait for a reply. */
  readonly pendingCalls: number;
  readonly observations: ObservationStats;
}

/** Opens the transport and begins to read in a later task, so that handlers can be added first. */
export function createPeer(transport: Transport, options: PeerOptions = {}): Peer {
  return new Connection(transport, options);
}

/** Replies that the other side asked for and does not take: beyond this many characters no request is read. */
const unreadReplies = 8_388_608;
const blank = /^[ \t\r]*$/;
const nothingSecret = (text: string): string => text;

class Connection implements Peer {
  readonly closed: Promise<CloseReason>;
  readonly #options: PeerOptions;
  readonly #limit: number;
  readonly #reader: FrameReader;
  readonly #wire: Wire;
  readonly #outbox: Outbox;
  readonly #inbound: Inbound;
  readonly #calls: Calls;
  readonly #flushers = new Set<() => void>();
  #announceClosed: (reason: CloseReason) => void = () => {};
  #reason: CloseReason | undefined;
  #outputEnded = false;
  #holds = 0;
  #inputEnded = false;
  #unread = 0;
  #releaseReplies: (() => void) | undefined;

  constructor(transport: Transport, options: PeerOptions) {
    this.#options = options;
    const clock = options.clock ?? systemClock;
    this.#calls = new Calls(clock);
    this.#limit = options.frameLimit ?? defaultFrameLimit;
    this.closed = new Promise((resolve) => {
      this.#announceClosed = resolve;
    });
    this.#reader = new FrameReader(transport.codec, this.#limit, {
      frame: (text) => this.#frame(text),
      fault: (fault) => this.#fault(fault),
    });
    this.#wire = transport.open({
      received: (bytes) => this.#reader.push(bytes),
      ended: () => this.#ended(),
      failed: (cause) => this.close({ kind: "broken", message: `the pipe broke: ${sentenceOf(cause)}`, cause }),
    });
    const { trace, observations } = options;
    this.#outbox = new Outbox(
      this.#wire,
      transport.codec,
      {
        frame: this.#limit,
        queuedFrames: observations?.frames ?? 256,
        queuedBytes: observations?.bytes ?? 8_388_608,
        batchBytes: observations?.batchBytes ?? 65_536,
        stallMillis: options.stallMillis ?? 10_000,
      },
      {
        ...(trace === undefined ? {} : { trace: (frame: string) => trace("out", frame) }),
        ...(options.saturated === undefined ? {} : { saturated: options.saturated }),
        ...(options.stalled === undefined ? {} : { stalled: options.stalled }),
      },
      clock,
    );
    this.#inbound = new Inbound(
      {
        reply: (method, frame) => this.#reply(method, frame),
        holdReading: () => this.holdReading(),
        idle: () => this.#answeredAll(),
      },
      options,
    );
  }

  get reason(): CloseReason | undefined {
    return this.#reason;
  }

  get pendingCalls(): number {
    return this.#calls.size;
  }

  get observations(): ObservationStats {
    return this.#outbox.stats;
  }

  request(method: string, params?: Members, options?: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(method, options);
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      const id = this.#calls.nextId;
      const frame = requestFrame(id, method, params, options?.meta);
      this.#calls.add(method, options, resolve, reject);
      try {
        this.#outbox.send(method, frame);
      } catch (error) {
        this.#calls.take(id)?.reject(error);
      }
    });
  }

  notify(method: string, params?: Members, options?: NotifyOptions): boolean {
    if (this.#reason !== undefined || this.#outputEnded) return false;
    this.#outbox.send(method, notificationFrame(method, params, options?.meta));
    return true;
  }

  observe(method: string, params?: Members, options?: NotifyOptions): boolean {
    if (this.#reason !== undefined || this.#outputEnded) return false;
    return this.#outbox.observe(method, notificationFrame(method, params, options?.meta));
  }

  onRequest(method: string, handler: RequestHandler): void {
    this.#inbound.onRequest(method, handler);
  }

  onNotification(method: string, handler: NotificationHandler, options?: NotificationOptions): void {
    this.#inbound.onNotification(method, handler, options);
  }

  holdReading(): () => void {
    if (this.#holds === 0) this.#wire.pause();
    this.#holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      this.#readOn();
    };
  }

  flushed(): Promise<void> {
    if (this.#reason !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.#flushers.delete(done);
        resolve();
      };
      this.#flushers.add(done);
      this.#outbox.drain(done);
    });
  }

  end(): void {
    if (this.#reason === undefined) this.#endOutput();
  }

  close(reason: CloseReason = { kind: "closed", message: "this side closed it" }): void {
    if (!this.#settleAll(reason)) return;
    this.#outbox.close();
    this.#wire.destroy();
  }

  /** Everything that waits is told why it waits no longer. False if that was done before. */
  #settleAll(reason: CloseReason): boolean {
    if (this.#reason !== undefined) return false;
    this.#reason = reason;
    this.#reader.stop();
    this.#calls.rejectAll(reason);
    this.#inbound.close(reason);
    for (const done of this.#flushers) done();
    this.#announceClosed(reason);
    return true;
  }

  #refusal(method: string, options: CallOptions | undefined): Error | undefined {
    if (this.#reason !== undefined) return new ConnectionClosed(method, this.#reason);
    if (this.#outputEnded)
      return new ConnectionClosed(method, { kind: "closed", message: "this side ended its output" });
    if (options?.signal?.aborted === true) return new CallAborted(method, options.signal.reason);
    if (options?.deadline?.expired === true) return new CallTimeout(method, options.deadline.timeoutMillis);
    return undefined;
  }

  /** One line that came in. False stops the reader. */
  #frame(text: string): boolean {
    this.#options.trace?.("in", text);
    const message = readEnvelope(text);
    const refused = this.#options.inspect?.(message);
    if (refused !== undefined) this.#violated(refused, text);
    else this.#dispatch(message, text);
    return this.#holds === 0;
  }

  #dispatch(message: Envelope, text: string): void {
    switch (message.kind) {
      case "result":
        this.#settler(message.id)?.resolve(message.result);
        return;
      case "error":
        this.#settler(message.id)?.reject(new RpcError(message.error));
        return;
      case "request":
        this.#inbound.request(message);
        return;
      case "notification":
        this.#inbound.notification(message);
        return;
      case "invalid_params":
        this.#inbound.invalidParams(message);
        return;
      case "unaddressed_error":
        if (this.#options.acceptUnaddressedErrors !== true) this.#violated('an error reply whose "id" is null', text);
        else this.#options.debug?.(`ignored an error reply without id: ${this.#quote(text)}`);
        return;
      case "broken":
        if (!blank.test(text)) this.#violated(message.what, text);
    }
  }

  #settler(id: number): PendingCall | undefined {
    const call = this.#calls.take(id);
    if (call === undefined) {
      const why = this.#calls.wasMade(id) ? "has ended" : "was never made";
      this.#options.debug?.(`ignored a reply to call ${id}, which ${why}`);
    }
    return call;
  }

  #reply(method: string, frame: string): void {
    if (this.#outputEnded || (this.#reason !== undefined && this.#reason.kind !== "ended")) {
      this.#options.debug?.(`dropped the reply to a request of ${method}: the connection is closed`);
      return;
    }
    this.#outbox.send(method, frame);
    if (this.#wire.pending() === 0) return;
    this.#unread += frame.length;
    if (this.#unread < unreadReplies || this.#releaseReplies !== undefined) return;
    this.#releaseReplies = this.holdReading();
    this.#wire.whenIdle(() => {
      this.#unread = 0;
      this.#releaseReplies?.();
      this.#releaseReplies = undefined;
    });
  }

  #readOn(): void {
    if (this.#holds > 0 || this.#reason !== undefined) return;
    this.#reader.resume();
    if (this.#holds > 0 || this.#reason !== undefined) return;
    if (this.#inputEnded) this.#ended();
    else this.#wire.resume();
  }

  #ended(): void {
    if (this.#reader.stopped) {
      this.#inputEnded = true;
      return;
    }
    const rest = this.#reader.end();
    const truncated = rest === undefined ? undefined : { bytes: rest.length, quote: this.#quote(rest) };
    const half = truncated === undefined ? "" : ` in the middle of a frame, after ${truncated.bytes} bytes of it`;
    const reason = { kind: "ended", message: `the other side ended its output${half}` } as const;
    this.#settleAll(truncated === undefined ? reason : { ...reason, truncated });
    // Requests that came before the end are still answered.
    if (this.#inbound.running === 0) this.#answeredAll();
  }

  #answeredAll(): void {
    if (this.#reason?.kind === "ended") this.#endOutput();
  }

  #endOutput(): void {
    if (this.#outputEnded) return;
    this.#outputEnded = true;
    this.#outbox.drain(() => {
      this.#outbox.close();
      this.#wire.end();
    });
  }

  #violated(what: string, line: string | Uint8Array): void {
    const shown = this.#quote(line);
    const message = `the other side sent ${what}, where each line must be one JSON-RPC 2.0 message: ${shown}`;
    this.close({ kind: "protocol_error", message, what, quote: shown });
  }

  #fault(fault: FrameFault): void {
    if (fault.kind === "not_utf8") {
      this.#violated("bytes that are not UTF-8", fault.line);
      return;
    }
    const { bytes, complete } = fault;
    const size = complete ? `a frame of ${bytes} bytes` : `at least ${bytes} bytes of one frame`;
    const message = `the other side sent ${size}, over the limit of ${this.#limit}`;
    this.close({ kind: "frame_too_large", message, bytes, limit: this.#limit, complete });
  }

  #quote(line: string | Uint8Array): string {
    return quote(line, this.#options.redact ?? nothingSecret);
  }
}

function sentenceOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
