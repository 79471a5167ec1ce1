/** The FULL TRUST block as text: one function for install, show, doctor and capabilities (pure). */
import { formatMillis, quote, redactSecrets } from "@reasonix-ts/text";
import { POINTS, type PointName } from "@reasonix-ts/protocol";
import type { TrustBlock } from "./block.ts";

/** The first line, which no value below can imitate: each of them is quoted and indented. */
export const TRUST_HEADING = "FULL TRUST";

const RISK = [
  "This plugin starts a program of its own. It runs outside the sandbox, with",
  "your rights and your whole environment: it can read the session and your",
  "files, override permission decisions, and operate this machine. Installing,",
  "updating or linking it is the permission; you are not asked again.",
];

/** Lines without a last line end. Every value that the plugin wrote is escaped, so that it cannot forge a line. */
export function trustText(block: TrustBlock): readonly string[] {
  const rows: readonly (readonly [string, string])[] = [
    ["command", value(block.command)],
    ["resolved", `${value(block.resolved)}${block.withNode ? " (run with the host's own Node)" : ""}`],
    ["sha256", block.sha256 ?? "no file to read"],
    ["args", listed(block.args)],
    ["env", listed(block.env)],
    ...(block.gets.length === 0 ? [] : ([["gets", `${block.gets.join(", ")} (plugin-env)`]] as const)),
    ["required", block.required ? "yes: without it no turn runs" : "no"],
    ["priority", String(block.priority)],
    ["budget", budget(block)],
    ["intercepts", intercepts(block.intercepts)],
    ["slots", block.slots.length === 0 ? "none" : `${listed(block.slots)} (the last word)`],
    ["capabilities", block.capabilities.length === 0 ? "none" : block.capabilities.join(", ")],
    ["tools", listed(block.tools)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    TRUST_HEADING,
    ...RISK.map((line) => `  ${line}`),
    ...rows.map(([name, text]) => `  ${`${name}:`.padEnd(width + 2)}${text}`),
    ...(block.obstacle === null ? [] : [`  It cannot start as it is: ${value(block.obstacle)}`]),
  ];
}

/** Long enough for real command lines; what is cut is marked. */
const SHOWN_BYTES = 2_048;

function value(text: string): string {
  return quote(redactSecrets(text), { maxBytes: SHOWN_BYTES });
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? "none" : values.map(value).join(", ");
}

function intercepts(points: readonly PointName[]): string {
  if (points.length === 0) return "none";
  const guards = points.filter((point) => POINTS[point].guard);
  return `${points.join(", ")}${guards.length === 0 ? "" : ` (rules on: ${guards.join(", ")})`}`;
}

function budget({ timeoutMillis }: TrustBlock): string {
  return timeoutMillis === 0
    ? "5 s at input, tool and permission points, 30 s elsewhere"
    : `${formatMillis(timeoutMillis)} at every point`;
}
