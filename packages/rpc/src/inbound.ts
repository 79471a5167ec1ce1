/** Answers the other side's requests and hears its notifications: one reply for each request, whatever a handler does. */
import { errorFrame, resultFrame } from "./encode.ts";
import type { Envelope, JsonObject } from "./envelope.ts";
import { errorCodes, FrameTooLarge, RpcError, type CloseReason, type ErrorObject } from "./errors.ts";
import type { NotificationHandler, NotificationOptions, PeerOptions, Problem, RequestHandler } from "./options.ts";
import { CallSignals, RunningCall } from "./running-call.ts";

type Request = Extract<Envelope, { kind: "request" }>;
type Notification = Extract<Envelope, { kind: "notification" }>;
type InvalidParams = Extract<Envelope, { kind: "invalid_params" }>;

/** What answering needs of the connection. */
export interface InboundPort {
  /** Writes one reply; throws FrameTooLarge. */
  reply(method: string, frame: string): void;
  /** Stops reading until the function that comes back is called. */
  holdReading(): () => void;
  /** The last running request was answered. */
  idle(): void;
}

interface Listener {
  readonly handle: NotificationHandler;
  readonly holdsReading: boolean;
}

const noParams: JsonObject = Object.freeze({});
const defaultInboundCalls = 1_024;

export class Inbound {
  readonly #port: InboundPort;
  readonly #options: PeerOptions;
  readonly #limit: number;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #listeners = new Map<string, Listener>();
  readonly #signals = new CallSignals();
  #running = 0;
  #release: (() => void) | undefined;

  constructor(port: InboundPort, options: PeerOptions) {
    this.#port = port;
    this.#options = options;
    this.#limit = options.inboundCalls ?? defaultInboundCalls;
  }

  get running(): number {
    return this.#running;
  }

  onRequest(method: string, handler: RequestHandler): void {
    if (this.#handlers.has(method)) throw new TypeError(`a handler for requests of ${method} is there already`);
    this.#handlers.set(method, handler);
  }

  onNotification(method: string, handle: NotificationHandler, options?: NotificationOptions): void {
    if (this.#listeners.has(method)) throw new TypeError(`a handler for notifications of ${method} is there already`);
    this.#listeners.set(method, { handle, holdsReading: options?.holdsReading ?? false });
  }

  request(request: Request): void {
    const { id, method } = request;
    const handler = this.#handlers.get(method);
    if (handler === undefined) {
      this.#refuse(id, { kind: "unknown_method", method });
      return;
    }
    const call = new RunningCall(id, method, request.meta, this.#signals);
    let outcome: unknown;
    try {
      outcome = handler(request.params ?? noParams, call);
    } catch (error) {
      call.done();
      this.#refuse(id, { kind: "handler_failed", method, error });
      return;
    }
    if (isThenable(outcome)) this.#await(call, outcome);
    else {
      call.done();
      this.#answer(id, method, outcome);
    }
  }

  invalidParams({ id, method, got }: InvalidParams): void {
    if (id === undefined)
      this.#options.debug?.(`ignored a notification of ${method}: its params is ${got}, not an object`);
    else this.#refuse(id, { kind: "invalid_params", method, got });
  }

  notification({ method, params, meta }: Notification): void {
    const listener = this.#listeners.get(method);
    if (listener === undefined) {
      this.#options.debug?.(`ignored a notification of the unknown method ${JSON.stringify(method.slice(0, 80))}`);
      return;
    }
    let outcome: unknown;
    try {
      outcome = listener.handle(params ?? noParams, { method, meta });
    } catch (error) {
      this.#failed(error, method);
      return;
    }
    if (!isThenable(outcome)) return;
    const release = listener.holdsReading ? this.#port.holdReading() : undefined;
    outcome.then(
      () => release?.(),
      (error: unknown) => {
        release?.();
        this.#failed(error, method);
      },
    );
  }

  /** Fires the signals of running requests. Their answers are still taken; the port decides what becomes of them. */
  close(reason: CloseReason): void {
    this.#signals.close(reason);
  }

  #await(call: RunningCall, outcome: PromiseLike<unknown>): void {
    const { id, method } = call;
    this.#running += 1;
    if (this.#running >= this.#limit) this.#release ??= this.#port.holdReading();
    outcome.then(
      (result: unknown) => {
        call.done();
        this.#answer(id, method, result);
        this.#ended();
      },
      (error: unknown) => {
        call.done();
        this.#refuse(id, { kind: "handler_failed", method, error });
        this.#ended();
      },
    );
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#release !== undefined && this.#running < this.#limit) {
      const release = this.#release;
      this.#release = undefined;
      release();
    }
    if (this.#running === 0) this.#port.idle();
  }

  #answer(id: number, method: string, result: unknown): void {
    try {
      this.#port.reply(method, resultFrame(id, result));
    } catch (error) {
      const { limit, bytes } = error instanceof FrameTooLarge ? error : { limit: 0, bytes: 0 };
      this.#refuse(
        id,
        limit > 0 ? { kind: "reply_too_large", method, bytes, limit } : { kind: "handler_failed", method, error },
      );
    }
  }

  #refuse(id: number, problem: Problem): void {
    const { method } = problem;
    try {
      this.#port.reply(method, errorFrame(id, this.#describe(problem)));
    } catch (error) {
      // The error itself cannot be sent: too large, or data that is no JSON.
      this.#port.reply(method, errorFrame(id, { code: errorCodes.internalError, message: "internal error" }));
      this.#failed(error, method);
    }
  }

  #describe(problem: Problem): ErrorObject {
    if (problem.kind === "handler_failed" && problem.error instanceof RpcError) {
      const { code, message, data } = problem.error;
      return { code, message, data };
    }
    return (this.#options.describeError ?? describeProblem)(problem);
  }

  #failed(error: unknown, method: string): void {
    if (this.#options.handlerFailed !== undefined) this.#options.handlerFailed(error, method);
    else {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** The codes and sentences of JSON-RPC 2.0. What a handler threw is not told: it may hold anything. */
function describeProblem(problem: Problem): ErrorObject {
  switch (problem.kind) {
    case "unknown_method":
      return { code: errorCodes.methodNotFound, message: `method not found: ${problem.method.slice(0, 80)}` };
    case "invalid_params":
      return { code: errorCodes.invalidParams, message: `params must be an object, not ${problem.got}` };
    case "handler_failed":
      return { code: errorCodes.internalError, message: "internal error" };
    case "reply_too_large":
      return {
        code: errorCodes.internalError,
        message: `the reply of ${problem.bytes} bytes is over the frame limit of ${problem.limit}`,
      };
  }
}
