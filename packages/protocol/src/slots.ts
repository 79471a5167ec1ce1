/** The ten kinds of strategy slots; `tool:` and `provider:` carry a name. */

export const PLAIN_SLOTS = [
  "system_prompt",
  "context",
  "provider_request",
  "provider_response",
  "compaction",
  "session_policy",
  "permission",
  "frontend_events",
] as const;

export const NAMED_SLOTS = ["tool", "provider"] as const;

export type PlainSlot = (typeof PLAIN_SLOTS)[number];
export type NamedSlot = (typeof NAMED_SLOTS)[number];
export type SlotKind = PlainSlot | NamedSlot;

/** A slot as manifests write it: `compaction`, `tool:bash`, `provider:plugin/acme/chat/large`. */
export type SlotName = PlainSlot | `${NamedSlot}:${string}`;

export function parseSlot(text: string): { readonly kind: SlotKind; readonly name: string } | null {
  for (const kind of PLAIN_SLOTS) if (text === kind) return { kind, name: "" };
  for (const kind of NAMED_SLOTS) {
    if (text.startsWith(`${kind}:`) && text.length > kind.length + 1)
      return { kind, name: text.slice(kind.length + 1) };
  }
  return null;
}

export function isSlotName(text: string): text is SlotName {
  return parseSlot(text) !== null;
}
