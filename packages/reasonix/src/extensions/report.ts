/** What `extensions`, `/extensions` and `doctor runtime` tell about the loaded extensions: data, and its lines. */
import type { BuildFailure, Diagnostics } from "@reasonix-ts/host";
import { formatMillis, oneLine } from "@reasonix-ts/text";
import type { ReceiptLine } from "../receipts-file.ts";
import { changeLines } from "./change-lines.ts";
import { pointTimes, type PointTime } from "./point-times.ts";

export interface ExtensionsReport {
  /** 0 where nothing is loaded. */
  readonly generation: number;
  readonly plugins: Diagnostics["plugins"];
  readonly benched: Diagnostics["benched"];
  /** What changed at the front of model requests, and by whom. */
  readonly changes: Diagnostics["changes"];
  /** Why no generation could be built. */
  readonly failures: readonly { readonly reason: string; readonly message: string }[];
  /** What is wrong with the list of plugins itself. */
  readonly problems: readonly string[];
  /** Of the last turn. */
  readonly times: readonly PointTime[];
  readonly receipts: readonly ReceiptLine[];
}

export function extensionsReport(
  diagnostics: Diagnostics | null,
  about: {
    readonly failures: readonly BuildFailure[];
    readonly problems: readonly string[];
    readonly receipts: readonly ReceiptLine[];
  },
): ExtensionsReport {
  return {
    generation: diagnostics?.generation ?? 0,
    plugins: diagnostics?.plugins ?? [],
    benched: diagnostics?.benched ?? [],
    changes: diagnostics?.changes ?? [],
    failures: about.failures.map(({ reason, message }) => ({ reason, message })),
    problems: about.problems,
    times: pointTimes(about.receipts),
    receipts: about.receipts,
  };
}

/** Lines of at most about 80 columns, free of control characters. */
export function extensionsLines(report: ExtensionsReport): readonly string[] {
  const nothing =
    report.plugins.length === 0 && report.failures.length === 0
      ? ["No extension is loaded. `reasonix plugin install <source>` adds one."]
      : [];
  return [
    ...nothing,
    ...report.failures.map(({ message }) => `not built: ${message}`),
    ...report.problems.map((problem) => `problem: ${problem}`),
    ...report.plugins.flatMap((plugin) => pluginLines(plugin, report.times)),
    ...report.benched.map(
      ({ plugin, point, failures, remainingMillis }) =>
        `${plugin} sits out at ${point} for ${formatMillis(remainingMillis)}, after ${failures} failures in a row`,
    ),
    ...receiptLines(report.receipts),
  ].map(oneLineKeepingIndent);
}

type Plugin = ExtensionsReport["plugins"][number];

function pluginLines(plugin: Plugin, times: readonly PointTime[]): readonly string[] {
  const facts = [
    plugin.state,
    ...(plugin.pid === null ? [] : [`pid ${plugin.pid}`]),
    ...(plugin.required ? ["required"] : []),
    ...(plugin.priority === 0 ? [] : [`priority ${plugin.priority}`]),
  ];
  return [
    `${plugin.plugin} ${plugin.version}: ${facts.join(", ")}`,
    ...(plugin.problem === null ? [] : [`  ${plugin.problem}`]),
    ...wrapped("  points: ", plugin.intercepts.join(", ")),
    ...wrapped("  slots: ", plugin.owns.join(", ")),
    ...wrapped("  capabilities: ", plugin.capabilities.join(", ")),
    ...wrapped("  tools: ", plugin.tools.join(", ")),
    ...wrapped("  models: ", fewOf(plugin.models)),
    ...wrapped("  actions: ", plugin.actions.map((actionId) => `/${plugin.plugin}:${actionId}`).join(", ")),
    ...plugin.catalogueProblems.map(({ text }) => `  catalogue: ${text}`),
    ...(plugin.budgetClamped ? ["  its budget is over 60 s and was cut to that"] : []),
    ...(plugin.observationsDropped === 0 ? [] : [`  ${plugin.observationsDropped} observations dropped`]),
    ...(plugin.lastFailure === null
      ? []
      : [`  last failure at ${plugin.lastFailure.point}, ${plugin.lastFailure.time}: ${plugin.lastFailure.text}`]),
    ...(plugin.points.length > 0 ? plugin.points.map(statsLine) : timeLines(plugin.plugin, times)),
  ];
}

/** What was counted since the extensions were loaded. */
function statsLine({ point, calls, p50, p95, max, faults, dropped }: Plugin["points"][number]): string {
  const wrong = Object.entries(faults).map(([kind, count]) => `, ${count} ${kind.replaceAll("_", " ")}`);
  return (
    `  ${point.padEnd(20)} ${calls} ${calls === 1 ? "call" : "calls"}, half within ${inMillis(p50)}, ` +
    `95 % within ${inMillis(p95)}, longest ${inMillis(max)}${wrong.join("")}${dropped === 0 ? "" : `, ${dropped} events dropped`}`
  );
}

/** Where nothing was counted yet, the last turn tells. */
function timeLines(plugin: string, times: readonly PointTime[]): readonly string[] {
  return times
    .filter((time) => time.plugin === plugin)
    .map(
      ({ point, calls, median, max, faults }) =>
        `  ${point.padEnd(20)} ${calls} ${calls === 1 ? "call" : "calls"}, ` +
        `median ${inMillis(median)}, longest ${inMillis(max)}${faults === 0 ? "" : `, ${faults} ${faults === 1 ? "fault" : "faults"}`}`,
    );
}

const LISTED_MODELS = 8;

function fewOf(refs: readonly string[]): string {
  const more = refs.length - LISTED_MODELS;
  return refs.slice(0, LISTED_MODELS).join(", ") + (more > 0 ? `, and ${more} more` : "");
}

/** What extensions changed or refused in the last turn; those who only watched are in the times above. */
function receiptLines(receipts: readonly ReceiptLine[]): readonly string[] {
  const telling = receipts.filter(({ outcome, changed }) => outcome !== "continue" || changed.length > 0);
  if (telling.length === 0) return [];
  return [
    "In the last turn:",
    ...telling.flatMap(({ plugin, point, slot, outcome, changed, changes = [], millis }) => {
      const as = slot === undefined ? "" : ` as owner of ${slot}`;
      const told = new Set(changes.map(({ member }) => member));
      const untold = changed.filter((member) => !told.has(member));
      const what = untold.length === 0 ? "" : ` (${untold.join(", ")})`;
      const head = `  ${plugin} at ${point}${as}: ${outcome}${what}, ${inMillis(millis)}`;
      return [head, ...changes.flatMap((change) => changeLines(change).map((line) => `    ${line}`))];
    }),
  ];
}

function inMillis(millis: number): string {
  return millis < 10 ? `${millis.toFixed(1)} ms` : formatMillis(millis);
}

const WIDTH = 78;

/** A list after its label, broken at its commas. */
function wrapped(label: string, text: string): readonly string[] {
  if (text === "") return [];
  const lines: string[] = [];
  let line = label;
  for (const word of text.split(" ")) {
    const next = line.endsWith(" ") ? `${line}${word}` : `${line} ${word}`;
    if (next.length > WIDTH && line.trim() !== label.trim()) {
      lines.push(line);
      line = `    ${word}`;
    } else {
      line = next;
    }
  }
  return [...lines, line];
}

function oneLineKeepingIndent(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ""}${oneLine(line)}`;
}
