/** Builds the TypeScript SDK as a library (ES module, CommonJS, types) with tsdown, unless nothing changed. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { placeFiles } from "./place.mjs";

/** What the bundle is made of beside the packages that it takes in, relative to the root. */
const INPUTS = [
  "sdk/typescript/src",
  "sdk/typescript/package.json",
  "sdk/typescript/tsdown.config.ts",
  "tsconfig.json",
  "node_modules/tsdown/package.json",
  "scripts/build/sdk.mjs",
];

const DEADLINE = 120_000;

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

function tsdown(root, folder, outdir) {
  const command = join(root, "node_modules/tsdown/dist/run.mjs");
  const { FORCE_COLOR: _colour, ...env } = process.env;
  const child = spawn(process.execPath, [command, "--out-dir", outdir, "--logLevel", "warn"], {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: DEADLINE,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stdout.on("data", (bytes) => (output += bytes));
  child.stderr.on("data", (bytes) => (output += bytes));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`tsdown ended with ${signal ?? code}\n${firstLines(output)}`));
    });
  });
}

/** What went wrong comes first; a stack of the bundler's own follows. */
function firstLines(output) {
  return output.trim().split("\n").slice(0, 24).join("\n");
}

function digestOf(root, inputs) {
  const hash = createHash("sha256");
  for (const path of inputs.flatMap((input) => filesBelow(join(root, input)))) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

function stampOf(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The file itself, or all files of a folder in a stable order; nothing where nothing is. */
function filesBelow(path) {
  if (!existsSync(path)) return [];
  let entries;
  try {
    entries = readdirSync(path, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
