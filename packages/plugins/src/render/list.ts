/** The list of plugins, one plugin in full, and the outcome of small changes as text (pure). */
import type { PluginDetails, PluginListing } from "../list.ts";
import type { RemoveReport } from "../remove.ts";
import type { ToggleReport } from "../toggle.ts";
import { trustText } from "../trust/text.ts";
import { columns, counted, plain, shortDigest, text, versionText } from "./lines.ts";
import { programLines, skippedLines } from "./install.ts";

export function listText({ plugins, problems }: PluginListing): string {
  const rows = plugins.map((plugin) => [
    plugin.name,
    plugin.enabled ? "enabled" : "disabled",
    versionText(plugin.version),
    plugin.mode === "link" ? "linked" : shortDigest(plugin.sha256) || "unknown copy",
    plain(plugin.source),
  ]);
  const empty = rows.length === 0 && problems.length === 0 ? ["No plugin is installed."] : [];
  return text([...empty, ...columns(rows), ...problems.map((problem) => `problem: ${plain(problem)}`)]);
}

const CONTENT: { readonly [content in PluginDetails["content"]]: string } = {
  intact: "as it was installed",
  changed: "CHANGED since it was installed: somebody edited the copy",
  missing: "MISSING: its folder is gone",
  unknown: "a copy without a recorded digest",
  linked: "linked: changes to it are trusted as they come",
};

export function showText(plugin: PluginDetails): string {
  const rows: readonly (readonly [string, string])[] = [
    ["name", plugin.name],
    ["version", versionText(plugin.version)],
    ["description", plain(plugin.description)],
    ["enabled", plugin.enabled ? "yes" : "no"],
    ["format", plugin.kind],
    ["source", plain(plugin.source)],
    ["commit", plugin.commit ?? ""],
    ["root", plugin.root],
    ["content", CONTENT[plugin.content]],
    ["sha256", plugin.sha256 ?? ""],
    ["contributes", counted(plugin.contributions) || "nothing declarative"],
    ["gets", plugin.environment.length === 0 ? "" : `${plugin.environment.join(", ")} (plugin-env)`],
  ];
  const shown = rows.filter(([, cell]) => cell !== "").map(([name, cell]) => [`${name}:`, cell]);
  return text([
    ...columns(shown),
    ...programLines(plugin.programs),
    ...(plugin.compatibility === null ? [] : skippedLines(plugin.compatibility)),
    ...plugin.problems.map((problem) => `problem: ${plain(problem)}`),
    ...(plugin.trust === null ? [] : ["", ...trustText(plugin.trust)]),
  ]);
}

export function removeText({ row, applied, filesRemoved, variables, setAside }: RemoveReport): string {
  const copy = applied ? "its copy is gone" : "its copy goes";
  const files = filesRemoved ? copy : `the folder ${row.root} stays`;
  const gone =
    variables.length === 0
      ? []
      : [`its variables ${applied ? "are gone" : "go"} too: ${variables.join(", ")} (plugin-env)`];
  return text([`${applied ? "removed" : "would remove"} ${row.name}: ${files}`, ...gone, ...asideLine(setAside)]);
}

export function toggleText({ row, changed, applied, setAside }: ToggleReport): string {
  const state = row.enabled ? "enabled" : "disabled";
  const done = `${state} ${row.name}: takes effect with the next session or /reload`;
  const would = `would ${row.enabled ? "enable" : "disable"} ${row.name}`;
  const outcome = changed ? (applied ? done : would) : `${row.name} ${applied ? "was" : "is"} ${state} already`;
  return text([outcome, ...asideLine(setAside)]);
}

function asideLine(setAside: string | null): readonly string[] {
  return setAside === null ? [] : [`The list of plugins was broken and is kept as ${setAside}.`];
}
