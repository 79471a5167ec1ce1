/** What a manifest that cannot be used still says about its weight: whether it is required, and which slots it owns. */
import { membersOf } from "./members.ts";
import { isSlotName, type SlotName } from "@reasonix-ts/protocol";

export interface Claims {
  readonly name: string;
  readonly version: string;
  readonly hasRuntime: boolean;
  readonly required: boolean;
  readonly replaces: readonly SlotName[];
}

/** Believes what can be read: a broken guard must not count as optional because its manifest has a second fault. */
export function claimsOf(manifest: unknown): Claims {
  const root = membersOf(manifest) ?? {};
  const runtime = root["runtime"];
  const members = membersOf(runtime) ?? {};
  const replaces = Array.isArray(members["replaces"]) ? members["replaces"] : [];
  return {
    name: typeof root["name"] === "string" ? root["name"] : "",
    version: typeof root["version"] === "string" ? root["version"] : "",
    hasRuntime: runtime !== undefined && runtime !== null,
    required: members["required"] === true,
    replaces: replaces.filter((slot): slot is SlotName => typeof slot === "string" && isSlotName(slot)),
  };
}
