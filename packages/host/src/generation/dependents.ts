/** Keeps plugins out of a generation whose requirements nobody meets, before they start and when a start failed. */
import { judgeDependencies, unmetError, type Dependencies, type Satisfies } from "../dependencies.ts";
import type { SidecarSpec } from "../spec.ts";
import { emptySeat, type Seat } from "./seat.ts";

export async function judgeSpecs(specs: readonly SidecarSpec[]): Promise<Dependencies> {
  return judgeDependencies(specs, await satisfiesFor(specs));
}

/** Stops what runs and requires something of a plugin that does not: the seats as they are then. */
export async function withoutUnmet(seats: readonly Seat[], redact: (text: string) => string): Promise<readonly Seat[]> {
  const running = seats.flatMap(({ sidecar }) => (sidecar === null ? [] : [sidecar.spec]));
  if (running.every(({ requires }) => requires.length === 0)) return seats;
  const { inactive } = await judgeSpecs(running);
  return Promise.all(
    seats.map(async (seat) => {
      const unmet = inactive.get(seat.plugin);
      const { sidecar } = seat;
      if (unmet === undefined || sidecar === null) return seat;
      await sidecar.stop();
      return emptySeat(sidecar.spec, seat.order, unmetError(unmet, redact));
    }),
  );
}

/** Ranges are rare: the library that understands them is loaded when one is there. */
async function satisfiesFor(specs: readonly SidecarSpec[]): Promise<Satisfies> {
  const hasRange = specs.some(({ requires }) => requires.some(({ versionRange }) => versionRange !== undefined));
  if (!hasRange) return () => false;
  // By its default export: a bundle of this CommonJS package has no other.
  const { satisfies, valid } = (await import("semver")).default;
  return (version, range) => valid(version) !== null && satisfies(version, range);
}
