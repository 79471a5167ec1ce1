/** One end of a connection: sends calls, matches replies, answers requests, and settles everything when it closes. */
import { Calls, type PendingCall } from "./calls.ts";
import { systemClock } from "./clock.ts";
import {
  notificationFrame,
  requestFrame,
  writtenNotification,
  type Members,
  type WrittenNotification,
} from "./encode.ts";
import { readEnvelope, type Envelope } from "./envelope.ts";
import { CallAborted, ConnectionClosed, RpcError, type CloseReason } from "./errors.ts";
import { defaultFrameLimit, type FrameFault } from "./frames.ts";
import { Inbound } from "./inbound.ts";
import { Input } from "./input.ts";
import type {
  CallOptions,
  NotificationHandler,
  NotificationOptions,
  NotifyOptions,
  ObservationStats,
  PeerOptions,
  RequestHandler,
} from "./options.ts";
import { Outbox } from "./outbox.ts";
import { quote } from "./quote.ts";
import { broken, ended, frameTooLarge, protocolError, refusedMessage } from "./reasons.ts";
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
  /** As `notify`, of a frame that is written already. */
  notifyWritten(notification: WrittenNotification): boolean;
  /** As `observe`, of a frame that is written already: one event to many sidecars is put together and counted once. */
  observeWritten(notification: WrittenNotification): boolean;
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

const blank = /^[ \t\r]*$/;
const nothingSecret = (text: string): string => text;

class Connection implements Peer {
  readonly closed: Promise<CloseReason>;
  readonly #options: PeerOptions;
  readonly #limit: number;
  readonly #redact: (text: string) => string;
  readonly #input: Input;
  readonly #wire: Wire;
  readonly #outbox: Outbox;
  readonly #inbound: Inbound;
  readonly #calls: Calls;
  readonly #flushers = new Set<() => void>();
  #announceClosed: (reason: CloseReason) => void = () => {};
  #reason: CloseReason | undefined;
  #outputEnded = false;
  #releaseReplies: (() => void) | undefined;

  constructor(transport: Transport, options: PeerOptions) {
    this.#options = options;
    const clock = options.clock ?? systemClock;
    this.#calls = new Calls(clock);
    this.#redact = options.redact ?? nothingSecret;
    this.#limit = options.frameLimit ?? defaultFrameLimit;
    this.closed = new Promise((resolve) => {
      this.#announceClosed = resolve;
    });
    this.#input = new Input(transport, this.#limit, {
      frame: (text) => this.#frame(text),
      fault: (fault) => this.#fault(fault),
      pieceStarts: () => this.#outbox.gather(),
      pieceEnds: (frames) => this.#pieceEnds(frames),
      ended: (rest) => this.#ended(rest),
      failed: (cause) => this.close(broken(cause)),
    });
    this.#wire = this.#input.wire;
    this.#outbox = new Outbox(this.#wire, transport.codec, options, clock);
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
      const id = this.#calls.reserve();
      const frame = requestFrame(id, method, params, options?.meta);
      // A deadline that is over rejects the call here: then nothing is sent.
      if (!this.#calls.add(id, method, options, resolve, reject)) return;
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
    return this.#outbox.observe(writtenNotification(method, params, options?.meta));
  }

  notifyWritten({ method, frame }: WrittenNotification): boolean {
    if (this.#reason !== undefined || this.#outputEnded) return false;
    this.#outbox.send(method, frame);
    return true;
  }

  observeWritten(notification: WrittenNotification): boolean {
    if (this.#reason !== undefined || this.#outputEnded) return false;
    return this.#outbox.observe(notification);
  }

  onRequest(method: string, handler: RequestHandler): void {
    this.#inbound.onRequest(method, handler);
  }

  onNotification(method: string, handler: NotificationHandler, options?: NotificationOptions): void {
    this.#inbound.onNotification(method, handler, options);
  }

  holdReading(): () => void {
    return this.#input.hold();
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
    this.#settleAll(reason);
    this.#outbox.close();
    this.#wire.destroy();
  }

  /** Everything that waits is told, once, why it waits no longer. */
  #settleAll(reason: CloseReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#input.stop();
    this.#calls.rejectAll(reason);
    this.#inbound.close(reason);
    for (const done of this.#flushers) done();
    this.#announceClosed(reason);
  }

  #refusal(method: string, options: CallOptions | undefined): Error | undefined {
    if (this.#reason !== undefined) return new ConnectionClosed(method, this.#reason);
    if (this.#outputEnded)
      return new ConnectionClosed(method, { kind: "closed", message: "this side ended its output" });
    if (options?.signal?.aborted === true) return new CallAborted(method, options.signal.reason);
    return undefined;
  }

  /** What one piece of input makes us send is written when the piece is read: at once, but together. */
  #pieceEnds(frames: number): void {
    if (frames > 1) this.#wire.soon(() => this.#outbox.release());
    else this.#outbox.release();
  }

  /** One line that came in. */
  #frame(text: string): void {
    this.#options.trace?.("in", text);
    const message = readEnvelope(text);
    // Only what is no message can be blank, so a good line is not looked at twice.
    if (message.kind === "broken" && blank.test(text)) return;
    const refused = this.#options.inspect?.(message);
    if (refused !== undefined) this.close(refusedMessage(refused, text, this.#redact));
    else this.#dispatch(message, text);
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
        else this.#options.debug?.(`ignored an error reply without id: ${quote(text, this.#redact)}`);
        return;
      case "broken":
        this.#violated(message.what, text);
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
    if (this.#outputEnded || (this.#reason?.kind ?? "ended") !== "ended") {
      this.#options.debug?.(`dropped the reply to a request of ${method}: the connection is closed`);
      return;
    }
    this.#outbox.send(method, frame);
    // Who asks and does not read the answers is not read either: two frames may wait.
    if (this.#releaseReplies !== undefined || this.#outbox.waiting < 2 * this.#limit) return;
    this.#releaseReplies = this.holdReading();
    this.#wire.whenIdle(() => {
      this.#releaseReplies?.();
      this.#releaseReplies = undefined;
    });
  }

  #ended(rest: Uint8Array | undefined): void {
    this.#settleAll(ended(rest, this.#redact));
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
    this.close(protocolError(what, line, this.#redact));
  }

  #fault(fault: FrameFault): void {
    if (fault.kind === "not_utf8") this.#violated("bytes that are not UTF-8", fault.line);
    else this.close(frameTooLarge(fault.bytes, fault.complete, this.#limit));
  }
}
