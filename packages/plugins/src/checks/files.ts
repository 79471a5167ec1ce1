/** Is the plugin there, and is it what was installed? */
import { MANIFEST_FILE } from "../manifest/manifest.ts";
import type { Check, CheckContext } from "./context.ts";
import type { Finding } from "./finding.ts";

export const checkFiles: Check = (context) => {
  const { row, root, content, loaded } = context.current;
  const about = { plugin: row.name, path: root } as const;
  const missing = content === "missing" || (content === "linked" && !loaded.ok && loaded.kind === null);
  if (missing) return [content === "linked" ? linkGone(context) : copyGone(context)];
  const findings: Finding[] = [];
  if (content === "changed") {
    findings.push({
      ...about,
      code: "copy_changed",
      severity: "warning",
      cause: "the copy is not what was installed: somebody edited it",
      next: `Run "reasonix plugin update ${row.name}" to put the original back, or install your own folder with --link.`,
    });
  }
  if (content === "unknown") {
    findings.push({
      ...about,
      code: "copy_unknown",
      severity: "note",
      cause: "no digest was recorded when it was installed, so a change cannot be seen",
      next: `"reasonix plugin install <source> --replace --yes" records one.`,
    });
  }
  if (!loaded.ok) findings.push(...manifestFindings(context));
  return findings;
};

function linkGone({ current: { row, root } }: CheckContext): Finding {
  return {
    code: "link_source_missing",
    severity: "error",
    plugin: row.name,
    path: root,
    cause: "the linked folder is gone or holds no package any more",
    next: `Move it back, link its new place with "reasonix plugin install <folder> --link --replace --name ${row.name} --yes", or run "reasonix plugin remove ${row.name}".`,
  };
}

function copyGone({ current: { row, root } }: CheckContext): Finding {
  return {
    code: "copy_missing",
    severity: "error",
    plugin: row.name,
    path: root,
    cause: "its folder is gone",
    next: `Run "reasonix plugin update ${row.name}" to fetch it again, or "reasonix plugin remove ${row.name}".`,
  };
}

function manifestFindings({ current: { row, loaded } }: CheckContext): readonly Finding[] {
  if (loaded.ok) return [];
  const severity = row.enabled ? "error" : "warning";
  const away = `or run "reasonix plugin disable ${row.name}"`;
  if (loaded.kind === null) {
    const next = `Put the file back, run "reasonix plugin update ${row.name}", ${away}.`;
    return [
      {
        code: "manifest_missing",
        severity,
        plugin: row.name,
        path: MANIFEST_FILE,
        cause: "there is no manifest",
        next,
      },
    ];
  }
  return loaded.problems.map((problem) => ({
    code: "manifest_invalid",
    severity,
    plugin: row.name,
    path: loaded.file,
    cause: problem,
    next: `Correct the manifest, ${away}.`,
  }));
}
