/** Decides what esbuild makes of the tree; what does not exist yet is no target. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCE = "@reasonix-ts/source";

/** Bundled CommonJS dependencies of the command call `require`, which an ES module lacks. */
const REQUIRE_BANNER =
  'import { createRequire as createRequireForBundle } from "node:module"; const require = createRequireForBundle(import.meta.url);';

/** Packages with binaries of their own stay outside of bundles. */
const NATIVE = ["@vscode/ripgrep", "@lydell/node-pty", "*.node"];

/**
 * One target is one call of esbuild: `name` for people, `outdir` absolute, `mode` of the files it writes,
 * `options` for esbuild.
 */
export function listTargets(root) {
  return [...appTargets(root), ...packageTargets(root), ...exampleTargets(root), ...benchTargets(root)];
}

/** The command: ES modules, split so that what is loaded lazily stays out of the first file. */
function appTargets(root) {
  const folder = join(root, "packages/reasonix");
  const entry = join(folder, "src/main.ts");
  if (!existsSync(entry)) return [];
  const outdir = join(folder, "dist");
  const options = {
    entryPoints: { main: entry },
    outdir,
    format: "esm",
    splitting: true,
    // The ES module of a package where it has one: a UMD file's own require cannot be followed.
    mainFields: ["module", "main"],
    chunkNames: "chunks/[name]-[hash]",
    banner: { js: REQUIRE_BANNER },
    external: NATIVE,
  };
  return [{ name: "packages/reasonix", outdir, mode: 0o644, options }];
}

/**
 * Every other package with exports: one ES module for each export, other packages outside, so that an embedder
 * has one copy of each. A program `src/main.ts` becomes `dist/main.js`.
 */
function packageTargets(root) {
  return subfolders(join(root, "packages")).flatMap((name) => {
    const folder = join(root, "packages", name);
    const entryPoints = { ...exportedEntries(folder), ...programEntry(folder) };
    if (name === "reasonix" || Object.keys(entryPoints).length === 0) return [];
    const outdir = join(folder, "dist");
    const options = { entryPoints, outdir, format: "esm", splitting: true, packages: "external" };
    return [{ name: `packages/${name}`, outdir, mode: 0o644, options }];
  });
}

function exportedEntries(folder) {
  const { exports = {} } = manifestOf(folder);
  const entries = {};
  for (const target of Object.values(exports)) {
    const source = target[SOURCE];
    const output = target.default;
    if (typeof source !== "string" || typeof output !== "string") continue;
    if (existsSync(join(folder, source))) {
      entries[output.replace(/^\.\/dist\//, "").replace(/\.js$/, "")] = join(folder, source);
    }
  }
  return entries;
}

function programEntry(folder) {
  const entry = join(folder, "src/main.ts");
  return existsSync(entry) ? { main: entry } : {};
}

/** A sidecar is one CommonJS file, executable: it starts fastest that way and runs from any folder. */
function exampleTargets(root) {
  return subfolders(join(root, "examples")).flatMap((name) => {
    const entry = join(root, "examples", name, "src/sidecar.ts");
    if (!existsSync(entry)) return [];
    const outdir = join(root, "examples", name, "dist");
    const options = {
      entryPoints: [entry],
      outfile: join(outdir, "sidecar.cjs"),
      format: "cjs",
      banner: { js: "#!/usr/bin/env node" },
    };
    return [{ name: `examples/${name}`, outdir, mode: 0o755, options }];
  });
}

/** Bench programs hold our sources and leave what they are compared with outside. */
function benchTargets(root) {
  const folder = join(root, "bench");
  const src = join(folder, "src");
  if (!existsSync(src)) return [];
  const entryPoints = readdirSync(src)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(src, name));
  if (entryPoints.length === 0) return [];
  const { dependencies = {}, devDependencies = {} } = manifestOf(folder);
  const foreign = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !name.startsWith("@reasonix-ts/"),
  );
  const outdir = join(folder, "dist");
  const options = {
    entryPoints,
    outdir,
    format: "esm",
    splitting: true,
    banner: { js: REQUIRE_BANNER },
    external: [...NATIVE, ...foreign],
  };
  return [{ name: "bench", outdir, mode: 0o644, options }];
}

function manifestOf(folder) {
  const file = join(folder, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

function subfolders(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}
