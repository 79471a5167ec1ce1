/** Is the runtime block sensible, beyond being legal? */
import { DEADLINES, parsePluginRef, parseSlot, POINTS } from "@reasonix-ts/protocol";
import { didYouMean } from "@reasonix-ts/text";
import type { Check, CheckContext } from "./context.ts";
import type { Finding, FindingCode } from "./finding.ts";

export const checkRuntime: Check = (context) => {
  const runtime = context.found?.runtime ?? null;
  if (runtime === null) return [];
  const findings: Finding[] = [];
  const add = (code: FindingCode, severity: Finding["severity"], path: string, cause: string, next: string): void => {
    findings.push({ code, severity, plugin: context.current.row.name, path, cause, next });
  };
  const ceiling = DEADLINES.interceptCeiling;
  if (runtime.timeoutMillis > ceiling) {
    const cause = `${runtime.timeoutMillis} ms is above the ceiling; ${ceiling} ms are used`;
    add("timeout_clamped", "warning", "/runtime/timeoutMillis", cause, `Write ${ceiling} or less.`);
  }
  const guards = runtime.intercepts.filter((point) => POINTS[point].guard);
  if (guards.length > 0 && !runtime.required) {
    const cause = `it rules on ${guards.join(" and ")} and is optional: when it cannot start, nobody rules`;
    add("guard_not_required", "note", "/runtime/required", cause, 'A guard should write "required": true.');
  }
  for (const [implied, why] of impliedCapabilities(runtime)) {
    add("capability_implied", "note", "/runtime/capabilities", `${implied} counts as listed, because ${why}`, "");
  }
  for (const slot of runtime.replaces) {
    const unknown = unknownTarget(slot, context);
    if (unknown !== null)
      add("slot_target_unknown", "warning", `/runtime/replaces/${slot}`, unknown, "Check the name behind the slot.");
  }
  return findings;
};

type Runtime = NonNullable<NonNullable<CheckContext["found"]>["runtime"]>;

function impliedCapabilities(runtime: Runtime): readonly (readonly [string, string])[] {
  const { declared, intercepts, replaces } = runtime;
  const implied: (readonly [string, string])[] = [];
  if (declared === null) implied.push(["ui", "no capabilities are listed"]);
  if (intercepts.length > 0 && declared?.includes("interceptors") !== true)
    implied.push(["interceptors", "intercepts are"]);
  if (replaces.length > 0 && declared?.includes("strategies") !== true)
    implied.push(["strategies", "replaced slots are"]);
  return declared === null ? implied.slice(0, 1) : implied;
}

/** A slot for something that is not there is never asked. */
function unknownTarget(slot: string, context: CheckContext): string | null {
  const parsed = parseSlot(slot);
  if (parsed === null) return null;
  const { kind, name } = parsed;
  if (kind === "tool") {
    if (context.knownTools === null || name.startsWith("mcp__")) return null;
    const tools = [...context.knownTools, ...context.pluginTools];
    return tools.includes(name) ? null : `no tool is named "${name}".${didYouMean(name, tools)}`;
  }
  if (kind !== "provider") return null;
  const ref = parsePluginRef(name);
  if (ref === null || context.enabledPlugins.includes(ref.plugin)) return null;
  return `no enabled plugin is named "${ref.plugin}".${didYouMean(ref.plugin, context.enabledPlugins)}`;
}
