/** Finds manifests: at a root, and below it where the root has none. */
import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { MANIFEST_FILE } from "../manifest/manifest.ts";
import type { PackageKind } from "./package.ts";

export const CLAUDE_MANIFEST = ".claude-plugin/plugin.json";
export const CODEX_MANIFEST = ".codex-plugin/plugin.json";
export const MARKETPLACE_MANIFEST = ".claude-plugin/marketplace.json";

const MANIFESTS: readonly (readonly [PackageKind, string])[] = [
  ["reasonix", MANIFEST_FILE],
  ["claude", CLAUDE_MANIFEST],
  ["codex", CODEX_MANIFEST],
];

/** The format of the package at a root; the native one is preferred, then Claude's. */
export async function manifestKindAt(root: string): Promise<PackageKind | null> {
  for (const [kind, file] of MANIFESTS) if (await exists(path.join(root, file))) return kind;
  return null;
}

export async function hasMarketplace(root: string): Promise<boolean> {
  return exists(path.join(root, MARKETPLACE_MANIFEST));
}

const LEFT_OUT = new Set([".git", "node_modules"]);
const DEEPEST = 5;
const MOST = 20;

/** Folders below a root that hold a package, relative, at most twenty, breadth first. Links are not followed. */
export async function packagesBelow(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  let level = [""];
  for (let depth = 0; depth < DEEPEST && found.length < MOST; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
      for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        if (!entry.isDirectory() || LEFT_OUT.has(entry.name)) continue;
        const below = folder === "" ? entry.name : `${folder}/${entry.name}`;
        if ((await manifestKindAt(path.join(root, below))) === null) next.push(below);
        else if (found.length < MOST) found.push(below);
      }
    }
    level = next;
  }
  return found;
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
