/** The outcome of upgrade-manifest (pure). */
import { manifestProblemText } from "../manifest/problem.ts";
import type { Upgrade } from "../manifest/upgrade.ts";
import { plain, text } from "./lines.ts";

/** For standard output: the new manifest's text alone, so that it can be redirected into a file. */
export function upgradedText(upgrade: Upgrade): string {
  return upgrade.ok ? upgrade.text : "";
}

/** For standard error: what was changed, and what only the author can solve. */
export function upgradeNotesText(upgrade: Upgrade): string {
  if (!upgrade.ok) return text([plain(upgrade.problem)]);
  return text([
    ...upgrade.changes.map((change) => `changed: ${plain(change)}`),
    ...upgrade.remaining.map((problem) => `still to be solved: ${plain(manifestProblemText(problem))}`),
    ...(upgrade.changes.length === 0 && upgrade.remaining.length === 0
      ? ["The manifest is of version 2 already."]
      : []),
  ]);
}
