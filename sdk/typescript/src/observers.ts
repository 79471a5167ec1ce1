/** Serves `extension/event`: observers see what happened, in order; what they throw goes to the log. */
import { isPointName, type ExternalizedField, type FrameMeta, type PointName } from "@reasonix-ts/protocol";
import type { InterceptCall } from "./budgeted-call.ts";
import type { ObserveContext } from "./context.ts";
import { LinkContext } from "./link-context.ts";
import type { Link } from "./link.ts";
import { messageOf } from "./log.ts";
import { fetchPayload, parsePayload, readPayload } from "./payload.ts";
import { EventFrame, readMeta, readParams } from "./wire.ts";

const METHOD = "extension/event";
/** The one point that some hosts intercept without sending its event. */
const SILENT_POINT = "input.receive";

type Observer = (payload: object, context: ObserveContext) => unknown;

/** Listens for events and, where a host sends none, to intercepts. */
export class Observers {
  readonly #link: Link;
  readonly #observers = new Map<string, Observer>();
  /** Set while a payload is fetched or `onStart` runs: later events wait behind it. */
  #tail: Promise<void> | null = null;
  #hostSendsEvents = false;
  #toldByIntercept = false;

  constructor(link: Link) {
    this.#link = link;
    for (const [point, observer] of Object.entries(link.extension.observe ?? {})) {
      // The compiler cannot follow a handler through its point's name; the payload is checked against that point.
      if (observer !== undefined) this.#observers.set(point, observer as Observer);
    }
    link.peer.onNotification(METHOD, (params, { meta }) => {
      const { event, payload, externalized } = readParams(METHOD, EventFrame, params);
      if (!isPointName(event) || !this.#observers.has(event) || this.#isEcho(event)) return;
      this.#deliver(event, payload, externalized, readMeta(meta));
    });
  }

  /** Whether the observer of a point may have to be told through its intercept. */
  watchesIntercept(point: string): boolean {
    return point === SILENT_POINT && !this.#hostSendsEvents && this.#observers.has(point);
  }

  /**
   * An answer was made. A host that puts `_meta` into its frames also sends an event at every point; one that does
   * not may leave it out, and then this is the only time the payload is seen.
   */
  intercepted(call: InterceptCall, payload: object): void {
    const { point, meta } = call;
    if (!this.watchesIntercept(point) || call.hasMeta) return;
    this.#toldByIntercept = true;
    // The answer goes out first.
    setImmediate(() => this.#deliver(point, payload, undefined, meta));
  }

  /** The first event of a host that turns out to send them, after its intercept was told already. */
  #isEcho(point: PointName): boolean {
    if (point !== SILENT_POINT || this.#hostSendsEvents) return false;
    this.#hostSendsEvents = true;
    return this.#toldByIntercept;
  }

  #deliver(
    point: PointName,
    payload: unknown,
    externalized: readonly ExternalizedField[] | undefined,
    meta: FrameMeta,
  ): void {
    if (this.#tail === null && this.#link.starting === null && externalized === undefined) {
      this.#observe(point, payload, meta);
      return;
    }
    const tail = (this.#tail ?? Promise.resolve())
      .then(async () => {
        await this.#link.starting;
        const raw = externalized === undefined ? payload : parsePayload(await fetchPayload(this.#link, externalized));
        this.#observe(point, raw, meta);
      })
      .catch((error: unknown) => this.#failed(point, error))
      .finally(() => {
        if (this.#tail === tail) this.#tail = null;
      });
    this.#tail = tail;
  }

  #observe(point: PointName, raw: unknown, meta: FrameMeta): void {
    try {
      const payload = readPayload(point, raw);
      const outcome = this.#observers.get(point)?.(payload, new Observation(this.#link, point, meta));
      if (outcome instanceof Promise) outcome.catch((error: unknown) => this.#failed(point, error));
    } catch (error) {
      this.#failed(point, error);
    }
  }

  #failed(point: PointName, error: unknown): void {
    this.#link.log(`the observer of ${point} failed: ${messageOf(error)}`, error);
  }
}

class Observation extends LinkContext implements ObserveContext {
  readonly point: PointName;
  readonly meta: FrameMeta;

  constructor(link: Link, point: PointName, meta: FrameMeta) {
    super(link);
    this.point = point;
    this.meta = meta;
  }
}
