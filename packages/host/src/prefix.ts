/** Watches what stands at the front of model requests, and tells which extension made it change. */
import { createHash } from "node:crypto";
import type { Message, PointName, ProviderRequest, SlotName } from "@reasonix-ts/protocol";
import type { Change, Course } from "./dispatch/course.ts";

/**
 * `prefixChanged`: the system prompt, the tools or the system messages are others than before, so that a provider's
 * prefix cache is cold once. `providerChanged`: only what a plugin offers as models is another; the prefix is the same.
 */
export interface PrefixChange {
  readonly kind: "prefixChanged" | "providerChanged";
  readonly part: "system_prompt" | "context" | "request" | "tools" | "models";
  readonly plugin: string;
  /** The slot when its owner made the change, else null. */
  readonly slot: SlotName | null;
  /** The generation in which it was seen last. */
  readonly generation: number;
  /** How often it was seen. */
  readonly times: number;
}

/** What a plugin adds to requests by being there. */
export interface Contribution {
  readonly plugin: string;
  readonly tools: unknown;
  readonly models: unknown;
}

interface Part {
  readonly hash: string;
  readonly cause: Change | null;
}

type PartName = PrefixChange["part"];

export class PrefixWatch {
  readonly #parts = new Map<string, Part>();
  readonly #changes = new Map<string, PrefixChange>();
  readonly #changed: (change: PrefixChange) => void;
  #plugins: ReadonlySet<string> | null = null;

  /** `changed` hears of each kind of change once. */
  constructor(changed: (change: PrefixChange) => void) {
    this.#changed = changed;
  }

  changes(): readonly PrefixChange[] {
    return [...this.#changes.values()];
  }

  /** To be called when a point that shapes requests has been run. */
  notePoint(generation: number, course: Course): void {
    const front = frontOf(course.point, course.parcel.value);
    if (front === null) return;
    const agent = course.scope.agent ?? "main";
    const change = course.changes.at(-1) ?? null;
    // Who changed something else of the payload has no hand in its front.
    const cause = change !== null && frontOf(course.point, course.original)?.text !== front.text ? change : null;
    this.#note(front.part, `${front.part} ${agent}`, front.text, cause, generation);
  }

  /** To be called when a generation goes live. */
  noteGeneration(generation: number, contributions: readonly Contribution[]): void {
    const before = this.#plugins;
    const now = new Map(contributions.map((one) => [one.plugin, one]));
    this.#plugins = new Set(now.keys());
    for (const plugin of new Set([...(before ?? []), ...now.keys()])) {
      const { tools = [], models = [] } = now.get(plugin) ?? {};
      const cause = { plugin, slot: null };
      // What comes with the first generation is no change; what comes with a later one is.
      const absent = before !== null && !before.has(plugin) ? "[]" : undefined;
      this.#note("tools", `tools ${plugin}`, JSON.stringify(tools), cause, generation, absent);
      this.#note("models", `models ${plugin}`, JSON.stringify(models), cause, generation, absent);
    }
  }

  #note(part: PartName, key: string, text: string, cause: Change | null, generation: number, absent?: string): void {
    const hash = hashOf(text);
    const old = this.#parts.get(key) ?? (absent === undefined ? undefined : { hash: hashOf(absent), cause: null });
    this.#parts.set(key, { hash, cause });
    if (old === undefined || old.hash === hash) return;
    // Without a plugin's hand in it, then or now, the change is the host's own.
    const blamed = cause ?? old.cause;
    if (blamed === null) return;
    const id = `${part} ${blamed.plugin} ${blamed.slot ?? ""}`;
    const known = this.#changes.get(id);
    const kind = part === "models" ? "providerChanged" : "prefixChanged";
    const change = { kind, part, ...blamed, generation, times: (known?.times ?? 0) + 1 } as const;
    this.#changes.set(id, change);
    if (known === undefined) this.#changed(change);
  }
}

/** The part of a point's payload that stands at the front of a request; null at other points. */
function frontOf(point: PointName, payload: object): { readonly part: PartName; readonly text: string } | null {
  switch (point) {
    case "system_prompt.build":
      return { part: "system_prompt", text: (payload as { readonly prompt: string }).prompt };
    case "context.prepare":
      return { part: "context", text: systemText((payload as { readonly messages: readonly Message[] }).messages) };
    case "provider.request": {
      const { request } = payload as { readonly request: ProviderRequest };
      return { part: "request", text: systemText(request.messages) + JSON.stringify(request.tools) };
    }
    default:
      return null;
  }
}

function systemText(messages: readonly Message[]): string {
  return JSON.stringify(messages.filter((message) => message.role === "system"));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
