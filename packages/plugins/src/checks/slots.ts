/** Do two enabled plugins claim one slot? (pure) */
import type { Finding } from "./finding.ts";

export interface SlotClaim {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly slots: readonly string[];
}

export function slotCollisions(claims: readonly SlotClaim[]): readonly Finding[] {
  const owners = new Map<string, SlotClaim>();
  const findings: Finding[] = [];
  for (const claim of claims) {
    for (const slot of claim.slots) {
      const first = owners.get(slot);
      if (first === undefined) owners.set(slot, claim);
      else {
        findings.push({
          code: "slot_collision",
          severity: "error",
          plugin: claim.plugin,
          path: slot,
          cause: `the slot ${slot} is claimed by ${named(first)} and by ${named(claim)}; a slot has one owner, so no runtime starts`,
          next: `Run "reasonix plugin disable ${first.plugin}" or "reasonix plugin disable ${claim.plugin}".`,
        });
      }
    }
  }
  return findings;
}

function named({ plugin, version, source }: SlotClaim): string {
  return `${plugin} ${version || "(no version)"} from ${source}`;
}
