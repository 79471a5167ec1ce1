/** Examines installed plugins with small checks, and on request lets a caller try a handshake. */
import { readdir } from "node:fs/promises";
import type { CheckContext } from "./checks/context.ts";
import { checkVariablesFile } from "./checks/contributions.ts";
import { dependencyFindings } from "./checks/dependencies.ts";
import type { Finding } from "./checks/finding.ts";
import { runChecks } from "./checks/run.ts";
import { slotCollisions } from "./checks/slots.ts";
import { readIdentities } from "./disk/identities.ts";
import { environmentFile, layoutOf, type Layout } from "./disk/layout.ts";
import { readRegistry } from "./disk/registry.ts";
import { findRow } from "./disk/rows.ts";
import { leftoversIn } from "./disk/staging.ts";
import { readPluginEnvironment } from "./environment.ts";
import { currentOf, type Current } from "./install/current.ts";
import type { Machine } from "./machine.ts";
import { notInstalled } from "./not-installed.ts";
import { runtimeSpec } from "./runtime/describe.ts";
import type { SidecarSpec } from "./runtime/spec.ts";
import type { TrustBlock } from "./trust/block.ts";

export interface DoctorOptions {
  readonly home: string;
  readonly machine: Machine;
  /** Empty for every plugin. */
  readonly names?: readonly string[];
  /** The host's own tools, so that a slot for a tool that does not exist is found. */
  readonly knownTools?: readonly string[];
  /** PATH of a login shell. */
  readonly loginPath?: string;
  /** Starts the sidecar in a scratch session and does the handshake; this package starts nothing itself. */
  readonly live?: (spec: SidecarSpec) => Promise<LiveTrial>;
}

/** How a trial start went, in the words of a real one. */
export interface LiveTrial {
  readonly ok: boolean;
  /** One sentence. */
  readonly verdict: string;
  readonly millis: number;
  /** What went over the pipe, and lines that the sidecar wrote to stderr, redacted by who recorded it. */
  readonly frames: readonly {
    readonly direction: "sent" | "received" | "logged";
    readonly text: string;
    readonly atMillis: number;
  }[];
}

export interface DoctorReport {
  readonly plugins: readonly Examined[];
  /** Of the list itself and of plugins together. */
  readonly findings: readonly Finding[];
  /** False when any finding is an error; a command line then ends with 1. */
  readonly ok: boolean;
}

export interface Examined {
  readonly name: string;
  readonly version: string;
  readonly enabled: boolean;
  readonly root: string;
  readonly trust: TrustBlock | null;
  readonly findings: readonly Finding[];
  /** Null unless it was asked for and there was something to start. */
  readonly live: LiveTrial | null;
}

/** Writes nothing. Throws PluginError `not_installed` for a name that is not there. */
export async function examinePlugins(options: DoctorOptions): Promise<DoctorReport> {
  const layout = layoutOf(options.home);
  const registry = await readRegistry(layout);
  const identities = await readIdentities(layout);
  const all: Current[] = [];
  for (const row of registry.rows)
    all.push(await currentOf(layout, row, identities.get(row.name) ?? null, options.machine));
  const names = (options.names ?? []).map((name) => {
    const row = findRow(registry.rows, name);
    if (row === undefined) throw notInstalled(name, registry.rows);
    return row.name;
  });
  const chosen = names.length === 0 ? all : all.filter(({ row }) => names.includes(row.name));
  const plugins: Examined[] = [];
  for (const current of chosen) plugins.push(await examine(current, all, layout, options));
  const shared = [...listFindings(layout, registry), ...(await leftovers(layout)), ...(await together(all))];
  const findings =
    names.length === 0 ? shared : shared.filter(({ plugin }) => plugin === null || names.includes(plugin));
  const ok = ![...findings, ...plugins.flatMap((one) => one.findings)].some(({ severity }) => severity === "error");
  return { plugins, findings, ok };
}

async function examine(
  current: Current,
  all: readonly Current[],
  layout: Layout,
  options: DoctorOptions,
): Promise<Examined> {
  const { row, root, loaded } = current;
  const found = loaded.ok ? loaded.package : null;
  const enabled = all.filter((one) => one.row.enabled);
  const context: CheckContext = {
    machine: options.machine,
    current,
    found,
    knownTools: options.knownTools ?? null,
    loginPath: options.loginPath ?? null,
    pluginTools: enabled.flatMap((one) => one.trust?.tools ?? []),
    enabledPlugins: enabled.map((one) => one.row.name),
  };
  const findings = [...(await runChecks(context))];
  findings.push(...(await variableFindings(layout, row.name, options.machine.platform)));
  if (!row.enabled) {
    const next = `Run "reasonix plugin enable ${row.name}" to use it.`;
    findings.push({ code: "disabled", severity: "note", plugin: row.name, path: root, cause: "it is disabled", next });
  }
  const live = await tryLive(context, layout, options);
  if (live !== null) findings.push(liveFinding(row.name, root, live));
  return {
    name: row.name,
    version: found?.version ?? row.version,
    enabled: row.enabled,
    root,
    trust: current.trust,
    findings,
    live,
  };
}

async function variableFindings(layout: Layout, plugin: string, platform: string): Promise<readonly Finding[]> {
  const file = environmentFile(layout, plugin);
  const { problems } = await readPluginEnvironment(layout, plugin);
  const unreadable = problems.map((cause): Finding => {
    const next = "Write one KEY=value a line.";
    return { code: "variables_unreadable", severity: "warning", plugin, path: file, cause, next };
  });
  return [...unreadable, ...(await checkVariablesFile(file, plugin, platform))];
}

async function tryLive(
  { found, current, machine }: CheckContext,
  layout: Layout,
  options: DoctorOptions,
): Promise<LiveTrial | null> {
  const { row, root } = current;
  // What is disabled is not authorized to start, not even for a trial.
  if (options.live === undefined || !row.enabled || found === null || found.runtime === null) return null;
  const own = await readPluginEnvironment(layout, row.name);
  const owner = { plugin: row.name, version: found.version || row.version, source: row.source, root };
  const { requires, provides } = found;
  const described = await runtimeSpec(owner, found.runtime, { requires, provides }, own.variables, machine);
  if (described.ok) return options.live(described.spec);
  return { ok: false, verdict: described.broken.problem, millis: 0, frames: [] };
}

function liveFinding(plugin: string, path: string, { ok, verdict }: LiveTrial): Finding {
  if (ok) return { code: "handshake_passed", severity: "note", plugin, path, cause: verdict, next: "" };
  const next = `Correct it, or run "reasonix plugin disable ${plugin}".`;
  return { code: "handshake_failed", severity: "error", plugin, path, cause: verdict, next };
}

function listFindings(layout: Layout, registry: Awaited<ReturnType<typeof readRegistry>>): readonly Finding[] {
  const about = { plugin: null, path: layout.registry } as const;
  const entries = registry.problems.map((cause): Finding => {
    const next = "Correct the entry by hand; it is left alone, and the others are used.";
    return { ...about, code: "list_entry_unreadable", severity: "warning", cause, next };
  });
  if (registry.broken === null) return entries;
  const next =
    "No plugin runs until it is in order. Correct it by hand; or change any plugin, which keeps the broken file aside and writes the entries that could be read.";
  return [{ ...about, code: "list_broken", severity: "error", cause: registry.broken, next }, ...entries];
}

async function leftovers(layout: Layout): Promise<readonly Finding[]> {
  const names = leftoversIn(await readdir(layout.plugins).catch(() => [])).filter(({ kind }) => kind !== "staging");
  if (names.length === 0) return [];
  const cause = `an interrupted change left ${names.map(({ name }) => name).join(", ")}`;
  const next = "The next install, update, enable, disable or remove finishes it.";
  return [{ code: "leftovers", severity: "note", plugin: null, path: layout.plugins, cause, next }];
}

async function together(all: readonly Current[]): Promise<readonly Finding[]> {
  const enabled = all.filter(({ row }) => row.enabled);
  const claims = enabled.map(({ row, trust, loaded }) => ({
    plugin: row.name,
    version: loaded.ok ? loaded.package.version : row.version,
    source: row.source,
    slots: trust?.slots ?? (loaded.ok ? [] : loaded.claims.replaces),
  }));
  const components = enabled.flatMap(({ row, loaded }) =>
    loaded.ok
      ? [
          {
            plugin: row.name,
            required: loaded.package.runtime?.required === true,
            requires: loaded.package.requires,
            provides: loaded.package.provides,
          },
        ]
      : [],
  );
  const related = components.some(({ requires, provides }) => requires.length > 0 || provides.length > 0);
  if (!related) return slotCollisions(claims);
  const { default: semver } = await import("semver");
  const satisfies = (version: string, range: string): boolean => semver.satisfies(version, range);
  return [...slotCollisions(claims), ...dependencyFindings(components, satisfies)];
}
