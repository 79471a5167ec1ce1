/** Reads the workspace off the disk: its packages, their manifests, their source files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SKIPPED = new Set(["node_modules", "dist", "fixtures", "coverage"]);

/**
 * Returns the root's manifest, `locked` (the lock file's packages by folder) and the workspace's packages: `folder` relative to the root with `/`, `name`, `manifest`,
 * `files` (paths relative to the package, TypeScript only).
 */
export function readWorkspace(root) {
  const manifest = readJson(join(root, "package.json"));
  const packages = manifest.workspaces
    .flatMap((pattern) => expand(root, pattern))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({
      folder,
      manifest: readJson(join(root, folder, "package.json")),
      files: sourceFiles(join(root, folder)),
    }));
  const { packages: locked } = readJson(join(root, "package-lock.json"));
  return { manifest, locked, packages: packages.map((one) => ({ ...one, name: one.manifest.name })) };
}

function expand(root, pattern) {
  if (!pattern.endsWith("/*")) return [pattern];
  const parent = pattern.slice(0, -2);
  if (!existsSync(join(root, parent))) return [];
  return readdirSync(join(root, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${parent}/${entry.name}`)
    .toSorted();
}

function sourceFiles(folder, below = "") {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourceFiles(folder, path);
      return /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : [];
    });
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
