/** Are the requirements of enabled plugins met by what others provide? (pure) */
import type { CapabilityWire, RequirementWire } from "@reasonix-ts/protocol";
import type { Finding } from "./finding.ts";

export interface Component {
  readonly plugin: string;
  readonly required: boolean;
  readonly requires: readonly RequirementWire[];
  readonly provides: readonly CapabilityWire[];
}

/** Whether a version lies in a range; handed in, because the library that knows is loaded only where it is needed. */
export type Satisfies = (version: string, range: string) => boolean;

export function dependencyFindings(components: readonly Component[], satisfies: Satisfies): readonly Finding[] {
  const findings: Finding[] = [];
  const providers = new Map<string, { readonly component: Component; readonly capability: CapabilityWire }>();
  for (const component of components) {
    for (const capability of component.provides) {
      const key = keyOf(capability);
      const first = providers.get(key);
      if (first === undefined) providers.set(key, { component, capability });
      else findings.push(duplicate(key, first.component.plugin, component.plugin));
    }
  }
  const edges = new Map<string, string[]>();
  for (const component of components) {
    for (const requirement of component.requires) {
      const provider = providers.get(keyOf(requirement));
      const reason = unmet(requirement, provider?.capability ?? null, satisfies);
      if (reason === null && provider !== undefined) {
        edges.set(component.plugin, [...(edges.get(component.plugin) ?? []), provider.component.plugin]);
      } else if (requirement.optional !== true && reason !== null) {
        findings.push(unsatisfied(component, requirement, reason));
      }
    }
  }
  return [...findings, ...cycles(edges)];
}

function keyOf({ namespace, kind, id }: Pick<CapabilityWire, "namespace" | "kind" | "id">): string {
  return `${namespace}/${kind}/${id}`;
}

function unmet(wanted: RequirementWire, given: CapabilityWire | null, satisfies: Satisfies): string | null {
  if (given === null) return "no enabled plugin provides it";
  if (wanted.version !== undefined && wanted.version !== given.version)
    return `version ${given.version ?? "unknown"} is provided, ${wanted.version} wanted`;
  if (wanted.versionRange !== undefined && !satisfies(given.version ?? "", wanted.versionRange)) {
    return `version ${given.version ?? "unknown"} is provided, ${wanted.versionRange} wanted`;
  }
  if (wanted.schemaHash !== undefined && wanted.schemaHash !== given.schemaHash)
    return "it is provided with another schema";
  return null;
}

function unsatisfied(component: Component, requirement: RequirementWire, reason: string): Finding {
  const key = keyOf(requirement);
  return {
    code: "dependency_unsatisfied",
    severity: component.required ? "error" : "warning",
    plugin: component.plugin,
    path: key,
    cause: `it requires ${key}, and ${reason}: ${component.required ? "no turn runs" : "it stays inactive"}`,
    next: `Install or enable a plugin that provides it, or run "reasonix plugin disable ${component.plugin}".`,
  };
}

function duplicate(key: string, first: string, second: string): Finding {
  return {
    code: "duplicate_provider",
    severity: "error",
    plugin: second,
    path: key,
    cause: `${key} is provided by ${first} and by ${second}`,
    next: `Run "reasonix plugin disable ${first}" or "reasonix plugin disable ${second}".`,
  };
}

/** Each ring once, beginning with its first plugin by name. */
function cycles(edges: ReadonlyMap<string, readonly string[]>): readonly Finding[] {
  const found = new Map<string, readonly string[]>();
  const walk = (plugin: string, trail: readonly string[]): void => {
    const at = trail.indexOf(plugin);
    if (at >= 0) {
      const ring = trail.slice(at);
      const start = ring.indexOf([...ring].sort()[0] ?? "");
      const ordered = [...ring.slice(start), ...ring.slice(0, start)];
      found.set(ordered.join(" "), ordered);
      return;
    }
    for (const next of edges.get(plugin) ?? []) walk(next, [...trail, plugin]);
  };
  for (const plugin of edges.keys()) walk(plugin, []);
  return [...found.values()].map((ring) => ({
    code: "dependency_cycle",
    severity: "error",
    plugin: ring[0] ?? null,
    path: null,
    cause: `plugins require one another in a ring: ${[...ring, ring[0]].join(", ")}`,
    next: "Disable one of them.",
  }));
}
