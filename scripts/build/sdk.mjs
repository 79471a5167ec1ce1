/** Builds the TypeScript SDK as a library (ES module, CommonJS, types) with tsdown, unless nothing changed. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { placeFiles } from "./place.mjs";
import { digestOf, filesBelow, tsdown } from "./tsdown.mjs";

/** What the bundle is made of beside the packages that it takes in, relative to the root. */
const INPUTS = [
  "sdk/typescript/src",
  "sdk/typescript/package.json",
  "sdk/typescript/tsdown.config.ts",
  "tsconfig.json",
  "node_modules/tsdown/package.json",
  "scripts/build/sdk.mjs",
  "scripts/build/tsdown.mjs",
];

/** Resolves to `none` without a config, `kept` when the inputs are those of the last build, else `built`. */
export async function buildSdk(root) {
  const folder = join(root, "sdk/typescript");
  if (!existsSync(join(folder, "tsdown.config.ts"))) return "none";
  const outdir = join(folder, "dist");
  const cache = join(root, ".cache/build");
  const stampFile = join(cache, "sdk.digest");
  const digest = digestOf(root, [...INPUTS, ...bundledPackages(folder)]);
  if (existsSync(join(outdir, "index.js")) && stampOf(stampFile) === digest) return "kept";

  const draft = join(cache, `sdk-${process.pid}`);
  try {
    await tsdown(root, folder, draft);
    const files = filesBelow(draft).map((path) => ({
      path: join(outdir, relative(draft, path)),
      bytes: readFileSync(path),
    }));
    if (files.length === 0) throw new Error("tsdown ended well but wrote no file");
    // A library's folder is packed as it is: nothing of an older build may stay in it.
    await placeFiles(outdir, files, { mode: 0o644, staleAfter: 0 });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await mkdir(cache, { recursive: true });
  await writeFile(stampFile, digest);
  return "built";
}

function bundledPackages(folder) {
  const { devDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.keys(devDependencies)
    .filter((name) => name.startsWith("@reasonix-ts/"))
    .map((name) => name.replace("@reasonix-ts/", "packages/"))
    .map((name) => `${name}/src`);
}

function stampOf(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
