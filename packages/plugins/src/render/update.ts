/** What an update would do or did, as text (pure). */
import type { Update, UpdateReport } from "../update.ts";
import { trustText } from "../trust/text.ts";
import { changeLines } from "./install.ts";
import { plain, shortDigest, text, versionText } from "./lines.ts";

export function updateText(report: UpdateReport): string {
  if (report.updates.length === 0) return "No plugin is installed.\n";
  return text([
    ...report.updates.flatMap((update) => updateLines(update, report.applied)),
    ...(report.applied ? ["New sessions use what was updated; in a running one type /reload."] : []),
  ]);
}

function updateLines(update: Update, applied: boolean): readonly string[] {
  const { name } = update;
  switch (update.verdict) {
    case "unchanged":
      return [`unchanged ${name} ${versionText(update.version)}`];
    case "linked":
      return [`linked ${name}: it follows its folder by itself`];
    case "failed":
      return [`failed ${name}: ${plain(update.reason)}`];
    case "update": {
      const { to } = update;
      const commit = to.commit === null ? "" : `, commit ${to.commit.slice(0, 12)}`;
      return [
        `${applied ? "updated" : "would update"} ${name} ${versionText(update.version)} to ${versionText(to.version)} (sha256 ${shortDigest(to.sha256)}${commit})`,
        ...changeLines(update.changes),
        ...(update.trust === null || update.changes.length === 0 ? [] : trustText(update.trust)),
      ];
    }
  }
}
