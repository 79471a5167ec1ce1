/** The one way from extensions to people: surfaces are stamped, cleaned, throttled; questions find somebody or nobody. */
import { BOUNDS, decode, FormPayload, problemsText, UIPublishParams, UIRequestParams } from "@reasonix-ts/protocol";
import type { UIRequestResult } from "@reasonix-ts/protocol";
import type { Clock } from "@reasonix-ts/rpc";
import { debugOf, type DebugSink } from "./debug-lines.ts";
import { refusal, serve, type InboundTable } from "./inbound.ts";
import type { Notice, UiPort } from "./ports.ts";
import type { Sidecar } from "./sidecar.ts";
import { cleanForm, judgeValues, type AnswerRule, type CleanForm } from "./surfaces/form.ts";
import { judgeSurface, type Surface } from "./surfaces/surface.ts";
import { cleanerOf, isPlainId } from "./surfaces/text.ts";
import { Throttle } from "./surfaces/throttle.ts";

export interface UiHubParts {
  readonly sessionId: string;
  /** Null without a frontend. */
  readonly port: UiPort | null;
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly notice: (notice: Notice) => void;
  /** Hears of stale surfaces; null when nobody looks. */
  readonly debug: DebugSink | null;
}

/** Surfaces that one plugin may have waiting for its generation, and forms that it may have open. */
const KEPT_A_PLUGIN = 256;

export class UiHub {
  readonly #parts: UiHubParts;
  readonly #throttle: Throttle<Surface>;
  /** Published before their generation is live, the last of each id. */
  readonly #staged = new Map<string, Surface>();
  /** How a submit of each shown form is judged. */
  readonly #forms = new Map<string, readonly AnswerRule[]>();
  readonly #reported = new Set<string>();
  #live = 0;

  constructor(parts: UiHubParts) {
    this.#parts = parts;
    this.#throttle = new Throttle(1_000 / BOUNDS.repaintsPerSecond, parts.clock, (surface) => this.#show(surface));
  }

  /** Registers what sidecars may publish and ask; without the capability `ui` they are refused, and live on. */
  readonly inbound: InboundTable = (sidecar) => {
    serve(sidecar, "host/ui/publish", UIPublishParams, (params) => this.#publish(sidecar, params));
    serve(sidecar, "host/ui/request", UIRequestParams, (params, { signal }) => this.#ask(sidecar, params, signal));
  };

  /** The generation takes over: what it has published is shown, and older ones paint no more. */
  goLive(generation: number): void {
    this.#live = generation;
    this.#throttle.clear();
    this.#forms.clear();
    this.#reported.clear();
    const staged = [...this.#staged].filter(([, surface]) => surface.generation === generation);
    this.#staged.clear();
    for (const [key, surface] of staged) this.#throttle.push(key, surface);
  }

  /** The generation will never be live: what it has published is never shown. */
  discard(generation: number): void {
    for (const [key, surface] of this.#staged) if (surface.generation === generation) this.#staged.delete(key);
  }

  /** How a submit of this form of the live generation is judged; null for a form that is not shown. */
  answersOf(plugin: string, surfaceId: string): readonly AnswerRule[] | null {
    return this.#forms.get(keyOf(plugin, surfaceId)) ?? null;
  }

  /** What waits for its repaint is shown, and nothing from then on. */
  close(): void {
    this.#throttle.flush();
    this.#staged.clear();
    this.#live = Number.POSITIVE_INFINITY;
  }

  #publish(sidecar: Sidecar, params: UIPublishParams): { readonly accepted: boolean } {
    wantsUi(sidecar);
    wantsPlainId(params.surfaceId);
    if (this.#isStale(sidecar, params) || this.#parts.port === null) return { accepted: false };
    const { plugin } = sidecar.spec;
    const { surfaceId, sessionId, generation, kind } = params;
    const actions = new Set(sidecar.grant.uiActions.map(({ actionId }) => actionId));
    const stamp = { plugin, surfaceId, sessionId, generation };
    const judged = judgeSurface(stamp, kind, params.payload, { actions, redact: this.#parts.redact });
    if (!judged.ok) throw refusal("invalid_params", problemsText(`the payload of a ${kind}`, judged.problems));
    this.#report(plugin, surfaceId, judged.dropped);
    const key = keyOf(plugin, surfaceId);
    if (generation > this.#live) return { accepted: keepBounded(this.#staged, plugin, key, judged.surface) };
    if (judged.answers !== null) keepBounded(this.#forms, plugin, key, judged.answers);
    this.#throttle.push(key, judged.surface);
    return { accepted: true };
  }

  /** The sidecar's intercepts have all their time left while a person thinks. */
  async #ask(sidecar: Sidecar, params: UIRequestParams, signal: AbortSignal): Promise<UIRequestResult> {
    wantsUi(sidecar);
    wantsPlainId(params.surfaceId);
    const { port, redact, notice } = this.#parts;
    const { plugin } = sidecar.spec;
    const decoded = decode(FormPayload, params.payload);
    if (!decoded.ok) throw refusal("invalid_params", problemsText("the payload of a question", decoded.problems));
    const form = cleanForm(withField(params, decoded.value), cleanerOf(redact));
    this.#report(plugin, params.surfaceId, form.dropped);
    const isLive = params.generation === this.#live;
    if (this.#isStale(sidecar, params) || !isLive || port === null || form.answers.length === 0) return CANCELLED;
    const release = sidecar.interceptClock.hold();
    try {
      const answer = await port.ask({ plugin, surfaceId: params.surfaceId, ...questionOf(form) }, { signal });
      if (answer.kind === "cancelled") return CANCELLED;
      const judged = judgeValues(form.answers, answer.values);
      if (judged.ok) return { cancelled: false, values: judged.values };
      const text = `The answer to a question of plugin "${plugin}" was not used: ${judged.problem}.`;
      notice({ severity: "warn", code: "surface_problem", plugin, text: redact(text) });
      return CANCELLED;
    } finally {
      release();
    }
  }

  #show(surface: Surface): void {
    if (surface.generation !== this.#live) return;
    this.#parts.port?.show(surface);
  }

  #isStale(sidecar: Sidecar, stamp: UIPublishParams | UIRequestParams): boolean {
    const { surfaceId, sessionId, generation } = stamp;
    const isForeign = sessionId !== this.#parts.sessionId || generation !== sidecar.generation;
    if (!isForeign && sidecar.generation >= this.#live) return false;
    const why = isForeign ? "another session or generation" : `generation ${generation}, and ${this.#live} is live`;
    debugOf(sidecar.spec.plugin, this.#parts)?.(`dropped the surface ${surfaceId}: it is of ${why} (stale_generation)`);
    return true;
  }

  /** Tells the author once a generation what of a surface cannot be used. */
  #report(plugin: string, surfaceId: string, dropped: readonly string[]): void {
    for (const what of dropped) {
      const text = `Plugin "${plugin}", surface "${surfaceId}": left out ${what}.`;
      if (this.#reported.size >= 4 * KEPT_A_PLUGIN || this.#reported.has(text)) continue;
      this.#reported.add(text);
      this.#parts.notice({ severity: "warn", code: "surface_problem", plugin, text: this.#parts.redact(text) });
    }
  }
}

const CANCELLED: UIRequestResult = { cancelled: true };

/** The key of the field of a question that names none: the question is then its title and message alone. */
const ANSWER = "answer";

function withField({ kind }: UIRequestParams, form: FormPayload): FormPayload {
  if (form.fields.length > 0 || kind === "select" || kind === "multiselect") return form;
  return { ...form, fields: [{ key: ANSWER, kind, required: true }] };
}

function questionOf({ payload: { title, message, fields } }: CleanForm) {
  return {
    ...(title === undefined ? {} : { title }),
    ...(message === undefined ? {} : { message }),
    questions: fields.map(({ label, ...field }) => ({ ...field, label: label ?? field.key })),
  };
}

function keyOf(plugin: string, surfaceId: string): string {
  return `${plugin} ${surfaceId}`;
}

/** Keeps the newest value of each key; false when this plugin has as many keys as it may. */
function keepBounded<T>(map: Map<string, T>, plugin: string, key: string, value: T): boolean {
  if (!map.has(key) && [...map.keys()].filter((one) => one.startsWith(`${plugin} `)).length >= KEPT_A_PLUGIN)
    return false;
  map.set(key, value);
  return true;
}

function wantsPlainId(surfaceId: string): void {
  if (isPlainId(surfaceId)) return;
  throw refusal("invalid_params", "surfaceId holds characters that cannot be shown; use letters, digits and dashes");
}

function wantsUi(sidecar: Sidecar): void {
  if (sidecar.grant.capabilities.has("ui")) return;
  throw refusal("capability_not_declared", 'surfaces need the capability "ui" in runtime.capabilities of the manifest');
}
