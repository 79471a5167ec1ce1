/** Plugin findings in the words of doctor; pure. */
import type { DoctorReport, Finding as PluginFinding } from "@reasonix-ts/plugins";
import type { Finding } from "./finding.ts";

/** Of the list, of plugins together, and of each plugin, in that order. */
export function pluginFindings({ findings, plugins }: DoctorReport): readonly Finding[] {
  return [...findings, ...plugins.flatMap((one) => one.findings)].map(translated);
}

function translated({ code, severity, plugin, path, cause, next }: PluginFinding): Finding {
  return {
    code,
    severity: severity === "note" ? "info" : severity,
    subject: plugin === null ? (path ?? "plugins") : `plugin ${plugin}`,
    text: plugin === null || path === null ? cause : `${cause} (${path})`,
    next,
  };
}
