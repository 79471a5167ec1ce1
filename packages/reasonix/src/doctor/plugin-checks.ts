/** Checks what is installed: the list, each plugin's files, its command. Starts nothing. */
import { listPlugins, showPlugin, type Machine, type PluginDetails } from "@reasonix-ts/plugins";
import type { Finding } from "./finding.ts";

export async function checkPlugins(home: string, machine: Machine): Promise<readonly Finding[]> {
  const { plugins, problems } = await listPlugins(home);
  const findings: Finding[] = problems.map((text) => ({
    code: "plugins_unusable",
    severity: "error",
    subject: "the list of plugins",
    text,
    next: "reasonix plugin doctor",
  }));
  for (const { name } of plugins) findings.push(...findingsOf(await showPlugin(home, name, machine)));
  return findings;
}

/** What is wrong with a plugin that is switched off harms nobody: it is told as a warning at most. */
function findingsOf(plugin: PluginDetails): readonly Finding[] {
  const subject = `plugin ${plugin.name}`;
  const severity = plugin.enabled ? "error" : "warning";
  const off = `reasonix plugin disable ${plugin.name}`;
  const findings: Finding[] = [];
  if (plugin.content === "missing") {
    const text = `Its folder ${plugin.root} is gone.`;
    findings.push({ code: "plugin_missing", severity, subject, text, next: `reasonix plugin remove ${plugin.name}` });
    return findings;
  }
  for (const text of plugin.problems) findings.push({ code: "plugin_broken", severity, subject, text, next: off });
  const obstacle = plugin.trust?.obstacle ?? null;
  if (obstacle !== null) findings.push({ code: "plugin_obstacle", severity, subject, text: obstacle, next: off });
  if (plugin.content === "changed") {
    const text = `Its copy in ${plugin.root} is not as it was installed.`;
    const next = `reasonix plugin update ${plugin.name}`;
    findings.push({ code: "plugin_changed", severity: "warning", subject, text, next });
  }
  if (!plugin.enabled) {
    const next = `reasonix plugin enable ${plugin.name}`;
    findings.push({ code: "plugin_disabled", severity: "info", subject, text: "It is disabled.", next });
  }
  return findings;
}
