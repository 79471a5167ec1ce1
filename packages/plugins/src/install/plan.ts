/** Decides what an install would do to the home: state and candidate in, verdict out (pure). */
import type { PluginRow } from "../disk/rows.ts";
import type { Compatibility, PackageKind } from "../package/package.ts";
import type { Program } from "../package/programs.ts";
import type { TrustBlock } from "../trust/block.ts";
import { programChanges, trustChanges, type TrustChange } from "../trust/changes.ts";

/** A package that could be installed, with everything that was measured of it. */
export interface Candidate {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly kind: PackageKind;
  /** Where its files are now. */
  readonly from: string;
  /** Recorded as its source. */
  readonly source: string;
  readonly commit: string | null;
  readonly mode: "copy" | "link";
  /** Null for a link. */
  readonly tree: { readonly sha256: string; readonly files: number; readonly bytes: number } | null;
  readonly trust: TrustBlock | null;
  readonly compatibility: Compatibility;
  /** How many of each kind it contributes; kinds without any are left out. */
  readonly contributions: { readonly [kind: string]: number };
  /** What its hooks and MCP servers start or reach. */
  readonly programs: readonly Program[];
}

/** What is installed under the name, as far as the decision needs it. */
export interface Installed {
  readonly row: PluginRow;
  /** The digest recorded at install; null for a link, or when none is known. */
  readonly sha256: string | null;
  /** Whether the tree on disk still has that digest. */
  readonly intact: boolean;
  readonly trust: TrustBlock | null;
  readonly programs: readonly Program[];
}

export type Verdict =
  | { readonly verdict: "install" }
  | { readonly verdict: "replace"; readonly changes: readonly TrustChange[] }
  /** The same content from the same source is there already: nothing is to be done. */
  | { readonly verdict: "unchanged" }
  | { readonly verdict: "refused"; readonly reason: string };

/** `replace` is the person's word that an installed plugin of that name may go. */
export function decide(candidate: Candidate, installed: Installed | null, replace: boolean): Verdict {
  if (candidate.compatibility.level === "none") return refuse("nothing in it can be used here");
  if (installed === null) return { verdict: "install" };
  const { row } = installed;
  if (row.name !== candidate.name) {
    return refuse(`${row.name} is installed, and names are compared regardless of case: give another with --name`);
  }
  if (isSame(candidate, installed)) return { verdict: "unchanged" };
  if (!replace) {
    return refuse(
      `${row.name} is installed from ${row.source || "an unknown source"}: give --replace to put this in its place`,
    );
  }
  const changes = [
    ...trustChanges(installed.trust, candidate.trust),
    ...programChanges(installed.programs, candidate.programs),
  ];
  return { verdict: "replace", changes };
}

function refuse(reason: string): Verdict {
  return { verdict: "refused", reason };
}

function isSame(candidate: Candidate, { row, sha256, intact }: Installed): boolean {
  if (row.source !== candidate.source) return false;
  if (candidate.mode === "link") return row.root === candidate.from;
  return candidate.tree !== null && intact && candidate.tree.sha256 === sha256;
}

/** The row that is recorded. A replaced plugin keeps its switch, so that an update never turns on what was turned off. */
export function nextRow(candidate: Candidate, root: string, old: PluginRow | null): PluginRow {
  return {
    name: candidate.name,
    source: candidate.source,
    root,
    version: candidate.version,
    description: candidate.description,
    manifestKind: candidate.kind,
    enabled: old?.enabled ?? true,
    more: old?.more ?? {},
  };
}
