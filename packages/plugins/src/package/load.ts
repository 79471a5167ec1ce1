/** Reads the package in a directory, whatever its format; a package that cannot be used is a result, not an exception. */
import { MANIFEST_FILE, parseManifest } from "../manifest/manifest.ts";
import { manifestProblemText } from "../manifest/problem.ts";
import { CLAUDE_MANIFEST, CODEX_MANIFEST, manifestKindAt } from "./locate.ts";
import { refused, type LoadedPackage } from "./package.ts";
import { readInside } from "./read-inside.ts";

/** `root` is absolute. The manifest is read without following a link out of the root. */
export async function loadPackage(root: string): Promise<LoadedPackage> {
  const kind = await manifestKindAt(root);
  switch (kind) {
    case "reasonix":
      return loadNative(root);
    case "claude":
      return (await import("../import/claude.ts")).loadClaude(root);
    case "codex":
      return (await import("../import/codex.ts")).loadCodex(root);
    case null:
      return refused(null, MANIFEST_FILE, [`no ${MANIFEST_FILE}, ${CLAUDE_MANIFEST} or ${CODEX_MANIFEST} in ${root}`]);
  }
}

async function loadNative(root: string): Promise<LoadedPackage> {
  const read = await readInside(root, MANIFEST_FILE);
  if (!read.ok) return refused("reasonix", MANIFEST_FILE, [read.problem]);
  const parsed = parseManifest(read.bytes);
  if (!parsed.ok) {
    const problems = parsed.problems.map(manifestProblemText);
    return { ok: false, kind: "reasonix", file: MANIFEST_FILE, problems, claims: parsed.claims };
  }
  const { manifest } = parsed;
  return {
    ok: true,
    package: {
      ...manifest,
      kind: "reasonix",
      root,
      manifestFile: MANIFEST_FILE,
      compatibility: { level: "full", skipped: [], notes: [] },
    },
  };
}
