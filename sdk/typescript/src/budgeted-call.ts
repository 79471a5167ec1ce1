/** A host's request while its handler runs: the context that the handler is given, and what must end with it. */
import type { FrameMeta, PointName } from "@reasonix-ts/protocol";
import { CallTimeout, createDeadline, type Deadline, type InboundCall } from "@reasonix-ts/rpc";
import type { ActionContext, InterceptContext, Session, ToolContext } from "./context.ts";
import type { Link } from "./link.ts";
import type { Log } from "./log.ts";
import type { HostCall } from "./host-call.ts";
import { createHostCall } from "./link-host-call.ts";
import { createUi } from "./link-ui.ts";
import type { Ui } from "./ui.ts";
import { readMeta } from "./wire.ts";

export class BudgetedCall implements ActionContext {
  readonly #link: Link;
  readonly #inbound: InboundCall;
  readonly #deadline: Deadline | null;
  #meta: FrameMeta | undefined;
  #ui: Ui | undefined;
  #budget: AbortController | undefined;
  #release: (() => void) | undefined;

  /** A function of its own, so that handlers may take it out of the context. */
  readonly remainingMillis = (): number => this.#deadline?.remaining() ?? Infinity;

  /** `timeoutMillis` 0 means that the host named no budget. */
  constructor(link: Link, inbound: InboundCall, timeoutMillis: number) {
    this.#link = link;
    this.#inbound = inbound;
    this.#deadline = timeoutMillis > 0 ? createDeadline(timeoutMillis) : null;
  }

  get session(): Session {
    return this.#link.session;
  }

  get callHost(): HostCall {
    return createHostCall(this.#link);
  }

  get log(): Log {
    return this.#link.log;
  }

  get meta(): FrameMeta {
    this.#meta ??= readMeta(this.#inbound.meta);
    return this.#meta;
  }

  /** Whether the frame carried `_meta` at all. */
  get hasMeta(): boolean {
    return this.#inbound.meta !== undefined;
  }

  get ui(): Ui {
    const deadline = this.#deadline;
    this.#ui ??= createUi(this.#link, deadline === null ? undefined : () => deadline.hold());
    return this.#ui;
  }

  /** Made when first asked for: most handlers never ask. */
  get signal(): AbortSignal {
    this.#budget ??= this.#watch();
    return this.#budget.signal;
  }

  /** Runs `work`; no timer and no listener of this call outlives its outcome. */
  run(work: () => unknown): unknown {
    let outcome: unknown;
    try {
      outcome = work();
    } catch (error) {
      this.#done();
      throw error;
    }
    if (outcome instanceof Promise) return outcome.finally(() => this.#done());
    this.#done();
    return outcome;
  }

  #done(): void {
    this.#release?.();
    this.#release = undefined;
  }

  #watch(): AbortController {
    const budget = new AbortController();
    const connection = this.#inbound.signal;
    const lost = (): void => budget.abort(connection.reason);
    connection.addEventListener("abort", lost, { once: true });
    const deadline = this.#deadline;
    const unwatch = deadline?.onExpired(() => {
      budget.abort(new CallTimeout(this.#inbound.method, deadline.timeoutMillis));
    });
    this.#release = () => {
      connection.removeEventListener("abort", lost);
      unwatch?.();
    };
    if (connection.aborted) lost();
    return budget;
  }
}

export class InterceptCall extends BudgetedCall implements InterceptContext {
  readonly point: PointName;
  readonly seq: number;

  constructor(link: Link, inbound: InboundCall, timeoutMillis: number, point: PointName, seq: number) {
    super(link, inbound, timeoutMillis);
    this.point = point;
    this.seq = seq;
  }
}

export class ToolRun extends BudgetedCall implements ToolContext {
  readonly name: string;

  constructor(link: Link, inbound: InboundCall, timeoutMillis: number, name: string) {
    super(link, inbound, timeoutMillis);
    this.name = name;
  }
}
