/** Updates copied plugins from where they came; content decides, not the version. */
import { isCopy, layoutOf } from "./disk/layout.ts";
import { readRegistry } from "./disk/registry.ts";
import { findRow, type PluginRow } from "./disk/rows.ts";
import { PluginError } from "./error.ts";
import { installPlugins } from "./install/install.ts";
import type { InstallRequest, Workplace } from "./install/request.ts";
import { notInstalled } from "./not-installed.ts";
import type { TrustBlock } from "./trust/block.ts";
import type { TrustChange } from "./trust/changes.ts";

export interface UpdateReport {
  readonly updates: readonly Update[];
  readonly applied: boolean;
}

export type Update = { readonly name: string; readonly source: string; readonly version: string } & (
  | {
      readonly verdict: "update";
      readonly to: { readonly version: string; readonly sha256: string; readonly commit: string | null };
      /** Trust gained and lost. */
      readonly changes: readonly TrustChange[];
      readonly trust: TrustBlock | null;
    }
  | { readonly verdict: "unchanged" }
  /** A link follows its folder by itself. */
  | { readonly verdict: "linked" }
  | { readonly verdict: "failed"; readonly reason: string }
);

/** `names` empty for all of them. One plugin that cannot be updated does not keep the others from it. */
export async function updatePlugins(
  names: readonly string[],
  consent: InstallRequest["consent"],
  place: Workplace,
): Promise<UpdateReport> {
  const { rows } = await readRegistry(layoutOf(place.home));
  const chosen = names.length === 0 ? rows : names.map((name) => findRow(rows, name) ?? fail(name, rows));
  const updates: Update[] = [];
  for (const row of chosen) updates.push(await updateOne(row, consent, place));
  return { updates, applied: consent === "yes" && updates.some(({ verdict }) => verdict === "update") };
}

async function updateOne(row: PluginRow, consent: InstallRequest["consent"], place: Workplace): Promise<Update> {
  const { name, source, version } = row;
  const known = { name, source, version };
  if (!isCopy(row.root)) return { ...known, verdict: "linked" };
  if (source === "")
    return { ...known, verdict: "failed", reason: "nothing is recorded of where it came from: install it anew" };
  try {
    const report = await installPlugins({ source, consent, replace: true, name }, place);
    const action = report.actions.find(({ candidate }) => candidate.name === name);
    if (action === undefined) return { ...known, verdict: "failed", reason: `${source} holds no such plugin any more` };
    const { candidate } = action;
    switch (action.verdict) {
      case "unchanged":
        return { ...known, verdict: "unchanged" };
      case "refused":
        return { ...known, verdict: "failed", reason: action.reason };
      case "install":
      case "replace": {
        const to = { version: candidate.version, sha256: candidate.tree?.sha256 ?? "", commit: candidate.commit };
        const changes = action.verdict === "replace" ? action.changes : [];
        return { ...known, verdict: "update", to, changes, trust: candidate.trust };
      }
    }
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { ...known, verdict: "failed", reason: error.message };
  }
}

function fail(name: string, rows: readonly PluginRow[]): never {
  throw notInstalled(name, rows);
}
