/** Who is asked at each point, in which order, and who has the last word (pure; made once a generation). */
import { POINT_NAMES, POINTS, type PointName, type SlotName } from "@reasonix-ts/protocol";
import { compareSeats } from "../spec.ts";

/** What the plan needs to know of a member of the generation. */
export interface Candidate {
  readonly plugin: string;
  readonly priority: number;
  /** Position among the plugins as the host was given them. */
  readonly order: number;
  /** Points it subscribed to; none when it did not start. */
  readonly intercepts: ReadonlySet<PointName>;
  /** Slots it owns; also when it did not start, so that nobody else acts in its place. */
  readonly owns: ReadonlySet<SlotName>;
}

export interface Plan<S extends Candidate> {
  /** Subscribers of each point in the order of the chain; they also get its events. */
  readonly chains: { readonly [P in PointName]: readonly S[] };
  readonly owners: ReadonlyMap<SlotName, S>;
  /** Points that nobody intercepts, owns or observes are not in here. */
  readonly wanted: ReadonlySet<PointName>;
}

export function makePlan<S extends Candidate>(seats: readonly S[]): Plan<S> {
  const ordered = seats.toSorted(compareSeats);
  const owners = new Map<SlotName, S>();
  for (const seat of ordered) for (const slot of seat.owns) owners.set(slot, seat);
  const kinds = new Set([...owners.keys()].map(kindOf));
  const wanted = new Set<PointName>();
  // Every point gets its entry below; the compiler cannot see that a loop over all keys fills a record.
  const chains = {} as { [P in PointName]: readonly S[] };
  for (const point of POINT_NAMES) {
    chains[point] = ordered.filter((seat) => seat.intercepts.has(point));
    if (chains[point].length > 0 || POINTS[point].slots.some((kind) => kinds.has(kind))) wanted.add(point);
  }
  return { chains, owners, wanted };
}

/** What an operation is about, for the slots that carry a name. */
export interface Subject {
  /** The tool's name as it stands now, at tool points. */
  readonly tool: string | undefined;
  /** The model's ref, at provider points. */
  readonly modelRef: string | undefined;
}

/** The next slot of this point whose owner has not spoken, or null; the subject may change between two calls. */
export function nextSlot(
  point: PointName,
  subjects: readonly Subject[],
  owners: ReadonlyMap<SlotName, unknown>,
  asked: ReadonlySet<SlotName>,
): SlotName | null {
  for (const kind of POINTS[point].slots) {
    for (const { tool, modelRef } of subjects) {
      const name = kind === "tool" ? tool : modelRef;
      if ((kind === "tool" || kind === "provider") && name === undefined) continue;
      const slot: SlotName = kind === "tool" || kind === "provider" ? `${kind}:${name}` : kind;
      if (owners.has(slot) && !asked.has(slot)) return slot;
    }
  }
  return null;
}

function kindOf(slot: SlotName): string {
  const colon = slot.indexOf(":");
  return colon < 0 ? slot : slot.slice(0, colon);
}
