/** An inbound request while its handler runs. */
import type { JsonObject } from "./envelope.ts";
import { ConnectionClosed, type CloseReason } from "./errors.ts";
import type { InboundCall } from "./options.ts";

/** The running calls of a connection that asked for a signal. */
export class CallSignals {
  readonly #controllers = new Map<AbortController, string>();
  #closed: CloseReason | undefined;

  open(method: string): AbortController {
    const controller = new AbortController();
    if (this.#closed === undefined) this.#controllers.set(controller, method);
    else controller.abort(new ConnectionClosed(method, this.#closed));
    return controller;
  }

  forget(controller: AbortController): void {
    this.#controllers.delete(controller);
  }

  close(reason: CloseReason): void {
    this.#closed = reason;
    const open = [...this.#controllers];
    this.#controllers.clear();
    for (const [controller, method] of open) controller.abort(new ConnectionClosed(method, reason));
  }
}

export class RunningCall implements InboundCall {
  readonly id: number;
  readonly method: string;
  readonly meta: JsonObject | undefined;
  readonly #signals: CallSignals;
  #controller: AbortController | undefined;

  constructor(id: number, method: string, meta: JsonObject | undefined, signals: CallSignals) {
    this.id = id;
    this.method = method;
    this.meta = meta;
    this.#signals = signals;
  }

  /** Made when first asked for: most handlers never ask. */
  get signal(): AbortSignal {
    this.#controller ??= this.#signals.open(this.method);
    return this.#controller.signal;
  }

  done(): void {
    if (this.#controller !== undefined) this.#signals.forget(this.#controller);
  }
}
