/** Gathers what a foreign package brings, from its manifest's members and from the usual places. */
import { readJsonText } from "../manifest/json-text.ts";
import type { Resources } from "../manifest/shape.ts";
import { contributesNothing, type Compatibility, type Skipped } from "../package/package.ts";
import { readInside } from "../package/read-inside.ts";
import { claudeHooks, joinHooks } from "./claude-hooks.ts";
import { foreignServers } from "./foreign-servers.ts";
import { innerPath, membersOf, pathsOf } from "../manifest/members.ts";

/** Collects into one place while a package is read; made for one package and thrown away. */
export interface Collected {
  readonly paths: { [kind in "skills" | "agents" | "commands"]: string[] };
  hooks: Resources["hooks"];
  servers: Resources["mcpServers"];
  readonly skipped: Skipped[];
  readonly notes: string[];
  /** Hooks files that were read, so that each counts once. */
  readonly hookFiles: Set<string>;
}

export function newCollection(): Collected {
  return {
    paths: { skills: [], agents: [], commands: [] },
    hooks: {},
    servers: {},
    skipped: [],
    notes: [],
    hookFiles: new Set(),
  };
}

export type ForeignJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

export async function readForeignJson(root: string, file: string): Promise<ForeignJson> {
  const read = await readInside(root, file);
  if (!read.ok) return read;
  const json = readJsonText(read.bytes);
  if (json.ok) return { ok: true, value: json.value };
  const faults = json.faults.map(
    (one) => `${one.line === 0 ? "" : `line ${one.line}: `}${one.received}, wanted ${one.wanted}`,
  );
  return { ok: false, missing: false, problem: `${file}: ${faults.join("; ")}` };
}

/** A manifest member that holds paths; `false` when it is absent. */
export function collectPaths(into: Collected, kind: keyof Collected["paths"], value: unknown, file: string): boolean {
  if (value === undefined || value === null) return false;
  const paths = pathsOf(value);
  if (paths === null) {
    into.skipped.push({ entry: `${file}#/${kind}`, reason: "only paths are read here" });
    return true;
  }
  for (const [index, written] of paths.entries()) {
    const inner = innerPath(written);
    if (inner === null)
      into.skipped.push({ entry: `${file}#/${kind}/${index}`, reason: "it leads out of the package" });
    else if (!into.paths[kind].includes(inner)) into.paths[kind].push(inner);
  }
  return true;
}

/** A hooks member: the hooks themselves, or paths of files with them. */
export async function collectHooks(into: Collected, root: string, value: unknown, file: string): Promise<void> {
  if (value === undefined || value === null) return;
  const inline = membersOf(value);
  if (inline !== null) {
    const imported = claudeHooks(inline, `${file}#/hooks`);
    into.hooks = joinHooks(into.hooks, imported.hooks);
    into.skipped.push(...imported.skipped);
    return;
  }
  for (const written of pathsOf(value) ?? []) {
    const inner = innerPath(written);
    if (inner === null)
      into.skipped.push({ entry: `${file}#/hooks`, reason: `${JSON.stringify(written)} leads out of the package` });
    else if (into.hookFiles.has(inner)) into.notes.push(`${inner} is read without being named: it counts once`);
    else await collectHookFile(into, root, inner, true);
  }
}

/** `wanted` says whether its absence is worth telling. */
export async function collectHookFile(into: Collected, root: string, file: string, wanted: boolean): Promise<void> {
  const read = await readForeignJson(root, file);
  if (!read.ok) {
    if (wanted || !read.missing) into.skipped.push({ entry: file, reason: read.problem });
    return;
  }
  into.hookFiles.add(file);
  // A settings file holds much else; only its hooks are a package's business.
  const value = file.endsWith("settings.json") ? { hooks: membersOf(read.value)?.["hooks"] ?? {} } : read.value;
  const imported = claudeHooks(value, file);
  into.hooks = joinHooks(into.hooks, imported.hooks);
  into.skipped.push(...imported.skipped);
}

/** A servers member: the servers themselves, or the path of a file with them. */
export async function collectServers(into: Collected, root: string, value: unknown, file: string): Promise<void> {
  if (value === undefined || value === null) return;
  if (membersOf(value) !== null) {
    addServers(into, value, `${file}#/mcpServers`);
    return;
  }
  for (const written of pathsOf(value) ?? []) {
    const inner = innerPath(written);
    if (inner === null)
      into.skipped.push({
        entry: `${file}#/mcpServers`,
        reason: `${JSON.stringify(written)} leads out of the package`,
      });
    else await collectServerFile(into, root, inner, true);
  }
}

export async function collectServerFile(into: Collected, root: string, file: string, wanted: boolean): Promise<void> {
  const read = await readForeignJson(root, file);
  if (read.ok) addServers(into, read.value, file);
  else if (wanted || !read.missing) into.skipped.push({ entry: file, reason: read.problem });
}

function addServers(into: Collected, value: unknown, file: string): void {
  const { servers, skipped } = foreignServers(value, file);
  into.skipped.push(...skipped);
  for (const [name, server] of Object.entries(servers)) {
    const known = into.servers[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(server)) {
      into.skipped.push({
        entry: `${file}#/${name}`,
        reason: "a server of that name is defined differently elsewhere",
      });
      continue;
    }
    into.servers = { ...into.servers, [name]: server };
  }
}

export function resourcesOf(from: Collected): Resources {
  return { ...from.paths, prompts: [], themes: [], hooks: from.hooks, mcpServers: from.servers };
}

export function compatibilityOf(from: Collected): Compatibility {
  const level = contributesNothing(resourcesOf(from)) ? "none" : from.skipped.length === 0 ? "full" : "partial";
  return { level, skipped: from.skipped, notes: from.notes };
}
