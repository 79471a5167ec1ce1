/** What doctor found, and what plugins can do, as text (pure). */
import { formatMillis } from "@reasonix-ts/text";
import type { CapabilityReport, PluginCapabilities } from "../capabilities.ts";
import type { Finding } from "../checks/finding.ts";
import type { Contributions } from "../contributes/contribution.ts";
import type { DoctorReport, Examined, LiveTrial } from "../doctor.ts";
import { trustText } from "../trust/text.ts";
import { plain, text, versionText } from "./lines.ts";

export function doctorText(report: DoctorReport): string {
  const all = [...report.findings, ...report.plugins.flatMap(({ findings }) => findings)];
  const count = (severity: Finding["severity"]): number => all.filter((one) => one.severity === severity).length;
  return text([
    ...report.findings.flatMap(findingLines),
    ...report.plugins.flatMap(examinedLines),
    `${howMany(report.plugins.length, "plugin")} examined: ${SEVERITIES.map((one) => howMany(count(one), one)).join(", ")}`,
  ]);
}

const SEVERITIES = ["error", "warning", "note"] as const satisfies readonly Finding["severity"][];

function howMany(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function examinedLines({ name, version, enabled, findings, live, trust }: Examined): readonly string[] {
  const state = findings.some(({ severity }) => severity === "error") ? "broken" : "fine";
  return [
    `${name} ${versionText(version)}, ${enabled ? "enabled" : "disabled"}: ${state}`,
    ...findings.flatMap(findingLines),
    ...(live === null ? [] : liveLines(live)),
    ...(trust === null ? [] : trustText(trust).map((line) => `  ${line}`)),
    "",
  ];
}

function findingLines({ code, severity, path, cause, next }: Finding): readonly string[] {
  return [
    `  ${severity} ${code}${path === null ? "" : ` ${plain(path)}`}`,
    `    ${plain(cause)}`,
    ...(next === "" ? [] : [`    ${plain(next)}`]),
  ];
}

const MARKS = { sent: "→", received: "←", logged: "·" } as const;

function liveLines({ verdict, millis, frames }: LiveTrial): readonly string[] {
  return [
    `  handshake: ${plain(verdict)} (${formatMillis(millis)})`,
    ...frames.map(
      ({ direction, text: frame, atMillis }) => `    ${formatMillis(atMillis)} ${MARKS[direction]} ${plain(frame)}`,
    ),
  ];
}

export function capabilitiesText({ plugins, problems }: CapabilityReport): string {
  const none = plugins.length === 0 && problems.length === 0 ? ["No plugin is installed."] : [];
  return text([...none, ...plugins.flatMap(pluginLines), ...problems.map((problem) => `problem: ${plain(problem)}`)]);
}

function pluginLines(plugin: PluginCapabilities): readonly string[] {
  return [
    `${plugin.name} ${versionText(plugin.version)}, ${plugin.enabled ? "enabled" : "disabled"}`,
    ...(plugin.brings === null ? [] : contributionLines(plugin.name, plugin.brings)),
    ...plugin.problems.map((problem) => `  problem: ${plain(problem)}`),
    ...(plugin.trust === null ? [] : trustText(plugin.trust).map((line) => `  ${line}`)),
    "",
  ];
}

function contributionLines(plugin: string, brings: Contributions): readonly string[] {
  const typed = (
    kind: string,
    prefix: string,
    entries: readonly { readonly name: string; readonly description: string }[],
  ): readonly string[] =>
    entries.map(
      ({ name, description }) =>
        `  ${kind} /${plugin}:${prefix}${plain(name)}${description === "" ? "" : `: ${plain(description)}`}`,
    );
  return [
    ...typed("skill", "", brings.skills),
    ...typed("agent", "agent:", brings.agents),
    ...typed("command", "", brings.commands),
    ...typed("prompt", "", brings.prompts),
    ...brings.hooks.map(
      ({ event, match, action }) =>
        `  hook ${event}${match === null ? "" : ` for ${plain(match)}`}: ${plain(actionText(action))}`,
    ),
    ...brings.mcpServers.map(
      ({ name, server }) =>
        `  MCP server ${plain(name)}: ${plain(server.type === "stdio" ? server.command : server.url)}`,
    ),
    ...brings.themes.map(({ id, name }) => `  theme plugin:${plugin}:${plain(id)}: ${plain(name)}`),
    ...brings.problems.map(({ entry, problem }) => `  problem: ${plain(entry)}: ${plain(problem)}`),
  ];
}

function actionText(action: Contributions["hooks"][number]["action"]): string {
  switch (action.type) {
    case "exec":
      return [action.command, ...action.args].join(" ");
    case "shell":
      return action.script;
    case "context":
      return `adds ${action.file}`;
  }
}
