/** Which plugins may run, judged by what they require of one another (pure). */
import type { CapabilityWire, Reason, RequirementWire } from "@reasonix-ts/protocol";
import { HostError } from "./errors.ts";
import { identity } from "./slots.ts";

export interface Member {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly requires: readonly RequirementWire[];
  readonly provides: readonly CapabilityWire[];
}

/** Why a plugin stays inactive: the first requirement that nobody meets. */
export interface Unmet {
  readonly plugin: string;
  readonly reason: Extract<Reason, "dependency_unsatisfied" | "schema_mismatch">;
  readonly message: string;
}

/** What no choice of plugins can mend: the build fails and names all that take part. */
export interface DependencyFault {
  readonly kind: "dependency_cycle" | "duplicate_provider";
  readonly members: readonly [Member, ...Member[]];
  readonly message: string;
}

export interface Dependencies {
  readonly inactive: ReadonlyMap<string, Unmet>;
  readonly faults: readonly DependencyFault[];
}

/** Whether a version is in a range, by semver. */
export type Satisfies = (version: string, range: string) => boolean;

/** A plugin whose requirement is met by an inactive one alone is inactive too. Optional requirements never count. */
export function judgeDependencies(members: readonly Member[], satisfies: Satisfies): Dependencies {
  const inactive = new Map<string, Unmet>();
  for (let settled = false; !settled;) {
    settled = true;
    const active = members.filter(({ plugin }) => !inactive.has(plugin));
    for (const member of active) {
      const unmet = firstUnmet(member, active, satisfies);
      if (unmet === null) continue;
      inactive.set(member.plugin, unmet);
      settled = false;
    }
  }
  return { inactive, faults: [...duplicates(members), ...cycles(members)] };
}

export function unmetError({ plugin, reason, message }: Unmet, redact: (text: string) => string): HostError {
  return new HostError(reason, plugin, redact(message));
}

/** Whether a plugin is out for what it requires, rather than for what it does. */
export function isUnmet(reason: Reason): boolean {
  return reason === "dependency_unsatisfied" || reason === "schema_mismatch";
}

/** In the order of the wire: `acme/index/files`. */
function nameOf({ namespace, kind, id }: CapabilityWire | RequirementWire): string {
  return `${namespace}/${kind}/${id}`;
}

function firstUnmet(member: Member, active: readonly Member[], satisfies: Satisfies): Unmet | null {
  const { plugin } = member;
  for (const requirement of member.requires) {
    if (requirement.optional === true) continue;
    const offers = offersOf(requirement, active);
    const fitting = offers.filter(({ version }) => versionFits(requirement, version, satisfies));
    if (fitting.length === 0) {
      const found = offers.map((offer) => `plugin "${offer.plugin}" has version ${offer.version ?? "none"}`).join(", ");
      const why = found === "" ? "no running plugin provides it" : found;
      const message = `Plugin "${plugin}" is inactive: it requires ${wanted(requirement)}, and ${why} (dependency_unsatisfied).`;
      return { plugin, reason: "dependency_unsatisfied", message };
    }
    const { schemaHash } = requirement;
    if (schemaHash === undefined || fitting.some((offer) => offer.schemaHash === schemaHash)) continue;
    const found = fitting.map((offer) => `plugin "${offer.plugin}" has ${offer.schemaHash ?? "none"}`).join(", ");
    const message = `Plugin "${plugin}" is inactive: it requires ${nameOf(requirement)} with schema ${schemaHash}, and ${found} (schema_mismatch).`;
    return { plugin, reason: "schema_mismatch", message };
  }
  return null;
}

interface Offer extends CapabilityWire {
  readonly plugin: string;
}

function offersOf(requirement: RequirementWire, members: readonly Member[]): readonly Offer[] {
  return members.flatMap(({ plugin, provides }) =>
    provides.filter((one) => nameOf(one) === nameOf(requirement)).map((one) => ({ ...one, plugin })),
  );
}

/** `version` is exact; a range wants a version to be judged by. */
function versionFits(
  { version, versionRange }: RequirementWire,
  offered: string | undefined,
  satisfies: Satisfies,
): boolean {
  if (version !== undefined && offered !== version) return false;
  return versionRange === undefined || (offered !== undefined && satisfies(offered, versionRange));
}

function wanted(requirement: RequirementWire): string {
  const { version, versionRange } = requirement;
  return [nameOf(requirement), version, versionRange].filter((part) => part !== undefined).join(" ");
}

function duplicates(members: readonly Member[]): readonly DependencyFault[] {
  const first = new Map<string, Member>();
  const faults: DependencyFault[] = [];
  for (const member of members) {
    for (const name of new Set(member.provides.map(nameOf))) {
      const other = first.get(name);
      if (other === undefined) first.set(name, member);
      else {
        const message = `${name} has two providers: ${identity(other)} and ${identity(member)}. Disable one of the two with \`reasonix plugin disable ${member.plugin}\`.`;
        faults.push({ kind: "duplicate_provider", members: [other, member], message });
      }
    }
  }
  return faults;
}

/** Each circle of plugins that require one another, once; a plugin that provides what it requires is no circle. */
function cycles(members: readonly Member[]): readonly DependencyFault[] {
  const needs = new Map(members.map((member) => [member, neededBy(member, members)]));
  const done = new Set<Member>();
  const faults: DependencyFault[] = [];
  const walk = (member: Member, path: readonly Member[]): void => {
    const at = path.indexOf(member);
    if (at >= 0) {
      const circle = [member, ...path.slice(at + 1)] as const;
      const names = [...circle, member].map(({ plugin }) => `"${plugin}"`).join(" → ");
      const message = `Plugins require one another in a circle: ${names} (dependency_cycle). Remove one of these requirements, or disable one of the plugins.`;
      faults.push({ kind: "dependency_cycle", members: circle, message });
      return;
    }
    if (done.has(member)) return;
    for (const next of needs.get(member) ?? []) walk(next, [...path, member]);
    done.add(member);
  };
  for (const member of members) walk(member, []);
  return faults;
}

function neededBy(member: Member, members: readonly Member[]): readonly Member[] {
  return members.filter(
    (other) =>
      other !== member &&
      member.requires.some((requirement) => requirement.optional !== true && offersOf(requirement, [other]).length > 0),
  );
}
