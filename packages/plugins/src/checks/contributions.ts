/** Can what the plugin declares be used? */
import { stat } from "node:fs/promises";
import { inspectCommand } from "@reasonix-ts/process";
import type { Contributions, Hook, McpServer } from "../contributes/contribution.ts";
import { readContributions } from "../contributes/read.ts";
import type { Check, CheckContext } from "./context.ts";
import type { Finding } from "./finding.ts";

export const checkContributions: Check = async (context) => {
  const { found } = context;
  if (found === null) return [];
  const contributions = await readContributions(context.current.row.name, found);
  const [hooks, servers] = await Promise.all([
    Promise.all(contributions.hooks.map((hook) => hookFindings(hook, context))),
    Promise.all(contributions.mcpServers.map((server) => serverFindings(server, context))),
  ]);
  return [
    ...importFindings(context),
    ...contributions.problems.map((problem): Finding => ({
      code: problem.severity === "error" ? "contribution_unusable" : "contribution_doubtful",
      severity: problem.severity,
      plugin: problem.plugin,
      path: problem.entry,
      cause: problem.problem,
      next: "Correct the entry; the others are used.",
    })),
    ...hooks.flat(),
    ...servers.flat(),
    ...clashes(contributions, context),
  ];
};

function importFindings({ found, current }: CheckContext): readonly Finding[] {
  return (found?.compatibility.skipped ?? []).map(({ entry, reason }) => ({
    code: "partly_usable",
    severity: "note",
    plugin: current.row.name,
    path: entry,
    cause: reason,
    next: "",
  }));
}

/** A filter is worth seeing as it takes effect: one that reaches further than meant is found here. */
async function hookFindings(hook: Hook, { current, machine }: CheckContext): Promise<readonly Finding[]> {
  const plugin = current.row.name;
  const findings: Finding[] = [];
  if (["PreToolUse", "PostToolUse", "PermissionRequest"].includes(hook.event)) {
    const reach = hook.match === null ? "every tool" : `tools named ^(?:${hook.match})$`;
    const names = hook.dialect === "claude" ? ", by Claude's names" : "";
    findings.push({
      code: "hook_reach",
      severity: "note",
      plugin,
      path: hook.entry,
      cause: `${hook.event} runs for ${reach}${names}`,
      next: "",
    });
  }
  if (hook.action.type !== "exec") return findings;
  const facts = await inspectCommand({ command: hook.action.command, cwd: current.root, env: machine.environment });
  if (facts.executable && facts.kind.type !== "directory") return findings;
  const gone = facts.kind.type === "missing";
  findings.push({
    code: "hook_command_missing",
    severity: "error",
    plugin,
    path: hook.entry,
    cause: `the command ${hook.action.command} ${gone ? "does not exist" : "is not executable"}`,
    next: gone ? "Correct the command, or install the program." : `Run: chmod +x '${hook.action.command}'`,
  });
  return findings;
}

async function serverFindings(
  { name, server, root }: McpServer,
  { current, machine }: CheckContext,
): Promise<readonly Finding[]> {
  if (server.type !== "stdio") return [];
  const facts = await inspectCommand({ command: server.command, cwd: root, env: machine.environment });
  if (facts.resolved !== null && facts.kind.type !== "missing") return [];
  const cause = `the command ${server.command} of the MCP server is not there`;
  const next = "Install the program, or correct the command.";
  return [
    {
      code: "server_command_missing",
      severity: "warning",
      plugin: current.row.name,
      path: `mcpServers/${name}`,
      cause,
      next,
    },
  ];
}

/** `/<plugin>:<name>` goes to the first of action, prompt, command, skill; actions are known only at run time. */
function clashes(contributions: Contributions, { current }: CheckContext): readonly Finding[] {
  const findings: Finding[] = [];
  const owners = new Map<string, string>();
  const kinds = [
    ["prompt", contributions.prompts],
    ["command", contributions.commands],
    ["skill", contributions.skills],
  ] as const;
  for (const [kind, entries] of kinds) {
    for (const { name } of entries) {
      const first = owners.get(name);
      if (first === undefined) {
        owners.set(name, kind);
        continue;
      }
      const typed = `/${current.row.name}:${name}`;
      const cause = `${typed} is a ${first} and a ${kind}: typing it takes the ${first}`;
      findings.push({ code: "name_clash", severity: "note", plugin: current.row.name, path: name, cause, next: "" });
    }
  }
  return findings;
}

/** The file with secrets of the plugin belongs to its owner alone. */
export async function checkVariablesFile(file: string, plugin: string, platform: string): Promise<readonly Finding[]> {
  const stats = await stat(file).catch(() => null);
  if (stats === null || platform === "win32" || (stats.mode & 0o077) === 0) return [];
  const cause = "others on this machine can read the plugin's variables";
  return [
    { code: "variables_readable", severity: "warning", plugin, path: file, cause, next: `Run: chmod 600 '${file}'` },
  ];
}
