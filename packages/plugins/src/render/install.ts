/** The plan and the outcome of an install as text (pure). */
import { formatBytes } from "@reasonix-ts/text";
import type { InstallAction, InstallReport } from "../install/request.ts";
import type { Candidate } from "../install/plan.ts";
import { trustText } from "../trust/text.ts";
import type { Program } from "../package/programs.ts";
import type { Compatibility } from "../package/package.ts";
import { counted, plain, shortDigest, text, versionText } from "./lines.ts";

/** What a command line says when neither `--dry-run` nor `--yes` was given; it then ends with 2. */
export const CONSENT_HINT = "Nothing was written. Give --yes to install this, or --dry-run to look only.";

export function installText(report: InstallReport): string {
  return text([
    ...report.actions.flatMap((action) => [...actionLines(action, report.applied), ""]),
    ...report.skipped.map(({ name, reason }) => `skipped ${plain(name)}: ${plain(reason)}`),
    ...(report.setAside === null ? [] : [`The list of plugins was broken and is kept as ${report.setAside}.`]),
    ...closing(report),
  ]);
}

function actionLines(action: InstallAction, applied: boolean): readonly string[] {
  const { candidate } = action;
  const what = `${candidate.name} ${versionText(candidate.version)}`;
  const head = `${verb(action, applied)} ${what}`;
  if (action.verdict === "refused") return [head, `  ${plain(action.reason)}`];
  if (action.verdict === "unchanged") return [`${head}: this very content is installed already`];
  return [
    head,
    ...(candidate.description === "" ? [] : [`  ${plain(candidate.description)}`]),
    `  from:         ${plain(candidate.source)}${candidate.commit === null ? "" : ` at ${candidate.commit.slice(0, 12)}`}`,
    `  to:           ${plain(action.to)}`,
    `  ${candidate.tree === null ? "linked" : "copied"}:       ${contentOf(candidate)}`,
    `  format:       ${candidate.kind}${compatibility(candidate.compatibility)}`,
    `  contributes:  ${counted(candidate.contributions) || "nothing declarative"}`,
    ...programLines(candidate.programs),
    ...warningLines(action),
    ...(action.enabled ? [] : ["  stays disabled, as it was"]),
    ...skippedLines(candidate.compatibility),
    ...(action.verdict === "replace" ? changeLines(action.changes) : []),
    ...(candidate.trust === null ? [] : ["", ...trustText(candidate.trust)]),
  ];
}

/** What a person should know before anything else, though nothing stands in the way of an install. */
function warningLines({ candidate, inherits }: InstallAction): readonly string[] {
  const obstacle = candidate.trust?.obstacle ?? null;
  return [
    ...(obstacle === null ? [] : [`  warning:      it cannot start as it is: ${plain(obstacle)}`]),
    ...(inherits.length === 0
      ? []
      : [
          `  warning:      it gets ${inherits.join(", ")}, set for what had this name before`,
          `                (reasonix plugin env ${candidate.name} unset ${inherits[0]} takes it away)`,
        ]),
  ];
}

function verb(action: InstallAction, applied: boolean): string {
  switch (action.verdict) {
    case "install":
      return applied ? "installed" : "would install";
    case "replace":
      return applied ? "replaced" : "would replace";
    case "unchanged":
      return "unchanged";
    case "refused":
      return "refused";
  }
}

function contentOf({ tree }: Candidate): string {
  if (tree === null) return "it stays where it is, and its changes are trusted as they come";
  return `${tree.files} files, ${formatBytes(tree.bytes)}, sha256 ${shortDigest(tree.sha256)}`;
}

function compatibility({ level }: Compatibility): string {
  return level === "full" ? "" : `, ${level === "partial" ? "partly usable here" : "not usable here"}`;
}

export function skippedLines({ skipped, notes }: Compatibility): readonly string[] {
  return [
    ...skipped.map(({ entry, reason }) => `  skipped:      ${plain(entry)}: ${plain(reason)}`),
    ...notes.map((note) => `  note:         ${plain(note)}`),
  ];
}

/** Declared programs run with the host's normal permissions, and are named all the same. */
export function programLines(programs: readonly Program[]): readonly string[] {
  return programs.map(({ occasion, target }) => `  runs:         ${plain(occasion)}: ${plain(target)}`);
}

export function changeLines(
  changes: readonly { readonly direction: string; readonly what: string }[],
): readonly string[] {
  if (changes.length === 0) return ["  trust:        as before"];
  return changes.map(({ direction, what }) => `  trust:        ${direction} ${plain(what)}`);
}

function closing(report: InstallReport): readonly string[] {
  const enabled = report.actions.some(
    ({ verdict, enabled: on }) => (verdict === "install" || verdict === "replace") && on,
  );
  return report.applied && enabled ? ["New sessions use it; in a running one type /reload."] : [];
}
