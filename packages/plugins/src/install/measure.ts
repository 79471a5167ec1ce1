/** Measures a package that could be installed: its size, its digest, the trust it asks for. */
import path from "node:path";
import { digestTree, surveyTree } from "@reasonix-ts/files";
import { formatBytes } from "@reasonix-ts/text";
import { copiedRoot, type Layout } from "../disk/layout.ts";
import { pluginEnvironmentNames } from "../environment.ts";
import { PluginError } from "../error.ts";
import { isPluginName } from "../manifest/fields.ts";
import type { Machine } from "../machine.ts";
import { trustBlock } from "../trust/block.ts";
import type { Package } from "../package/package.ts";
import { programsOf } from "../package/programs.ts";
import type { Candidate } from "./plan.ts";
import type { Selected } from "./select.ts";

/** Of the package's own folder, what is never copied left out. */
export const PACKAGE_BYTES = 20_971_520;

/** Never scanned and never copied. */
export const LEFT_OUT: readonly string[] = [".git", "node_modules"];

export async function measure(
  selected: Selected,
  mode: "copy" | "link",
  layout: Layout,
  machine: Machine,
  signal?: AbortSignal,
): Promise<Candidate> {
  const { package: found, source, commit } = selected;
  if (!isPluginName(found.name)) {
    throw new PluginError(
      "usage",
      `${JSON.stringify(found.name)} is no plugin name: use 1 to 64 letters, digits, ".", "_" or "-".`,
    );
  }
  const tree = mode === "link" ? null : await measureTree(found.root, signal);
  const root = mode === "link" ? found.root : path.join(layout.home, copiedRoot(found.name));
  const gets = await pluginEnvironmentNames(layout, found.name);
  return {
    name: found.name,
    version: found.version,
    description: found.description,
    kind: found.kind,
    from: found.root,
    source,
    commit,
    mode,
    tree,
    trust: found.runtime === null ? null : await trustBlock(found.runtime, found.root, root, machine, gets),
    compatibility: found.compatibility,
    contributions: countsOf(found),
    programs: programsOf(found),
  };
}

async function measureTree(root: string, signal: AbortSignal | undefined): Promise<NonNullable<Candidate["tree"]>> {
  const options = { ignore: LEFT_OUT, ...(signal === undefined ? {} : { signal }) };
  const survey = await surveyTree(root, options);
  if (survey.bytes > PACKAGE_BYTES) {
    const biggest = survey.biggest.map((file) => `\n  ${formatBytes(file.bytes)}  ${file.path}`).join("");
    const size = `${formatBytes(survey.bytes)} in ${survey.files} files, and at most ${formatBytes(PACKAGE_BYTES)} are installed`;
    throw new PluginError("too_large", `${root} holds ${size}. Its biggest files:${biggest}`);
  }
  return digestTree(root, options);
}

/** Entries as they are declared; what is behind them is read when they are used. */
export function countsOf(found: Pick<Package, "resources">): { readonly [kind: string]: number } {
  const counts: { [kind: string]: number } = {};
  for (const [kind, entries] of Object.entries(found.resources)) {
    const lists: readonly unknown[] = kind === "hooks" ? Object.values(entries).flat() : Object.values(entries);
    if (lists.length > 0) counts[kind] = lists.length;
  }
  return counts;
}
