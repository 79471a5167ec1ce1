/** Tells what the manifest says and the code does not, and tools the other way round (pure). */
import { parseSlot } from "@reasonix-ts/protocol";
import type { Hello } from "./wire.ts";

/** What an extension has handlers for. */
export interface Coded {
  readonly points: readonly string[];
  readonly slots: readonly string[];
  readonly tools: readonly string[];
  /** References of its models, whole. */
  readonly refs: readonly string[];
}

/** One sentence for each kind of mismatch, with the key of the manifest; empty when both say the same. */
export function mismatches(manifest: Hello["manifest"], coded: Coded): readonly string[] {
  const { intercepts = [], replaces = [], tools = [] } = manifest;
  const idleSlots = missing(replaces, coded.slots).filter((name) => !servesSlot(name, coded));
  return [
    ...unoffered(manifest, coded.tools),
    ...unhandled("points", missing(intercepts, coded.points), "runtime.intercepts"),
    ...unhandled("slots", idleSlots, "runtime.replaces"),
    ...unhandled("tools", missing(tools, coded.tools), "runtime.tools"),
  ];
}

function unoffered({ tools, capabilities = [] }: Hello["manifest"], served: readonly string[]): string[] {
  if (served.length === 0) return [];
  if (tools === undefined && !capabilities.includes("tools")) {
    const left = `the tools ${served.join(", ")} are not offered: the host expects none`;
    return [
      `${left}; list them in runtime.tools of the manifest and "tools" in runtime.capabilities, or use a newer host`,
    ];
  }
  const unlisted = tools === undefined ? [] : missing(served, tools);
  if (unlisted.length === 0) return [];
  return [
    `the tools ${unlisted.join(", ")} have handlers but are not in runtime.tools of the manifest: list them there`,
  ];
}

function unhandled(kind: string, names: readonly string[], key: string): string[] {
  if (names.length === 0) return [];
  return [`the ${kind} ${names.join(", ")} stand in ${key} of the manifest and have no handler here`];
}

/** A slot may be owned by what it names alone: a tool in the place of a built-in one, a model likewise. */
function servesSlot(name: string, { tools, refs }: Coded): boolean {
  const slot = parseSlot(name);
  if (slot?.kind === "tool") return tools.includes(slot.name);
  return slot?.kind === "provider" && refs.some((ref) => ref === slot.name || ref.endsWith(`/${slot.name}`));
}

function missing(wanted: readonly string[], present: readonly string[]): readonly string[] {
  return wanted.filter((name) => !present.includes(name));
}
