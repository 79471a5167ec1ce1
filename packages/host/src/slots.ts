/** Who owns which slot (pure): one owner each over all installed plugins, or a collision that names both. */
import type { SlotName } from "@reasonix-ts/protocol";

export interface Claimant {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly replaces: readonly SlotName[];
}

export interface SlotCollision {
  readonly slot: SlotName;
  readonly first: Claimant;
  readonly second: Claimant;
}

/** Every slot that two plugins claim, in the order in which the second claims come. */
export function findCollisions(claimants: readonly Claimant[]): readonly SlotCollision[] {
  const owners = new Map<SlotName, Claimant>();
  const collisions: SlotCollision[] = [];
  for (const claimant of claimants) {
    for (const slot of new Set(claimant.replaces)) {
      const first = owners.get(slot);
      if (first === undefined) owners.set(slot, claimant);
      else collisions.push({ slot, first, second: claimant });
    }
  }
  return collisions;
}

export function collisionText({ slot, first, second }: SlotCollision): string {
  return (
    `Slot "${slot}" has two owners: ${identity(first)} and ${identity(second)}. ` +
    `A slot has one owner: disable one of the two with \`reasonix plugin disable ${second.plugin}\`.`
  );
}

/** `plugin "name" 1.2.0 from /where/it/came/from`. */
export function identity(plugin: {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
}): string {
  const version = plugin.version === "" ? "" : ` ${plugin.version}`;
  return `plugin "${plugin.plugin}"${version} from ${plugin.source}`;
}
