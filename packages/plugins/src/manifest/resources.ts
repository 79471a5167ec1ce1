/** Joins the contributions inside `contributes` with those at top level: identical is one, different is a problem. */
import { below } from "@reasonix-ts/protocol";
import { PATH_KINDS, type ManifestFields, type McpServerFields, type PathKind, type ResourceFields } from "./fields.ts";
import { HOOK_EVENTS, isHookEvent, isPattern, reachesEveryTool, type HookFields } from "./hook-fields.ts";
import { didYouMean } from "@reasonix-ts/text";
import type { McpServerEntry, Resources } from "./shape.ts";
import { manifestProblem, type ManifestProblem } from "./problem.ts";

export interface Merged {
  readonly resources: Resources;
  readonly problems: readonly ManifestProblem[];
}

interface Place {
  readonly pointer: string;
  readonly fields: ResourceFields;
}

export function mergeResources(manifest: ManifestFields): Merged {
  const places: readonly Place[] = [
    { pointer: "/contributes", fields: manifest.contributes ?? {} },
    { pointer: "", fields: manifest },
  ];
  const problems: ManifestProblem[] = [];
  const hooks = mergeHooks(places, problems);
  const mcpServers = mergeServers(places, problems);
  const [skills, agents, commands, prompts, themes] = PATH_KINDS.map((kind) => mergePaths(places, kind));
  return {
    resources: {
      skills: skills ?? [],
      agents: agents ?? [],
      commands: commands ?? [],
      prompts: prompts ?? [],
      themes: themes ?? [],
      hooks,
      mcpServers,
    },
    problems,
  };
}

/** Two spellings of one path are one path. */
function mergePaths(places: readonly Place[], kind: PathKind): readonly string[] {
  const written = places.flatMap(({ fields }) => fields[kind] ?? []);
  return [
    ...new Set(
      written.map(
        (one) =>
          one
            .split("/")
            .filter((part) => part !== "" && part !== ".")
            .join("/") || ".",
      ),
    ),
  ];
}

function mergeHooks(places: readonly Place[], problems: ManifestProblem[]): Resources["hooks"] {
  const merged: { [event: string]: HookFields[] } = {};
  for (const { pointer, fields } of places) {
    for (const [event, entries] of Object.entries(fields.hooks ?? {})) {
      const at = below(`${pointer}/hooks`, event);
      if (!isHookEvent(event)) {
        const wanted = `one of ${HOOK_EVENTS.map((name) => JSON.stringify(name)).join(", ")}`;
        problems.push(manifestProblem(at, event, wanted, didYouMean(event, HOOK_EVENTS).trim()));
        continue;
      }
      for (const [index, entry] of entries.entries()) problems.push(...judgeHook(entry, `${at}/${index}`));
      const known = (merged[event] ??= []);
      const places = new Set(known.map(canonical));
      known.push(...entries.filter((entry) => !places.has(canonical(entry))));
    }
  }
  return merged;
}

/** A filter that cannot be read is refused, never widened to all tools. */
function judgeHook(hook: HookFields, at: string): readonly ManifestProblem[] {
  const problems: ManifestProblem[] = [];
  if (hook.match !== undefined && !reachesEveryTool(hook.match) && !isPattern(hook.match)) {
    problems.push(manifestProblem(`${at}/match`, hook.match, "a regular expression for the whole tool name"));
  }
  if ((hook.command === undefined) === (hook.contextFile === undefined)) {
    const received = hook.command === undefined ? undefined : hook.command;
    problems.push(manifestProblem(`${at}/command`, received, "exactly one of command and contextFile"));
  }
  if (hook.args !== undefined && (hook.shell !== undefined || hook.shellCommand === true)) {
    problems.push(manifestProblem(`${at}/args`, hook.args, "no args beside a shell: args mean the exec form"));
  }
  return problems;
}

function mergeServers(places: readonly Place[], problems: ManifestProblem[]): Resources["mcpServers"] {
  const merged = new Map<string, McpServerEntry>();
  const seen = new Map<string, string>();
  for (const { pointer, fields } of places) {
    for (const [name, server] of Object.entries(fields.mcpServers ?? {})) {
      const at = below(`${pointer}/mcpServers`, name);
      const other = seen.get(name);
      if (other !== undefined && other !== canonical(server)) {
        problems.push(
          manifestProblem(at, server, `the same definition as /contributes/mcpServers/${name}, or one of the two`),
        );
        continue;
      }
      seen.set(name, canonical(server));
      const entry = serverEntry(server);
      if (entry === null) {
        problems.push(manifestProblem(at, server, "command (stdio) or url (http, sse), and not both"));
      } else {
        merged.set(name, entry);
      }
    }
  }
  return Object.fromEntries(merged);
}

function serverEntry(server: McpServerFields): McpServerEntry | null {
  const type = server.type ?? (server.url === undefined ? "stdio" : "http");
  if (type === "stdio") {
    if (server.command === undefined || server.url !== undefined) return null;
    return { type, command: server.command, args: server.args ?? [], env: server.env ?? {} };
  }
  if (server.url === undefined || server.command !== undefined) return null;
  return { type, url: server.url, headers: server.headers ?? {} };
}

/** The same text for the same content, whatever the order of members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
