/** Runs tsdown, and tells whether what it reads has changed. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const DEADLINE = 120_000;

/** Builds the package in `folder` into `outdir`; rejects with what the bundler said first. */
export function tsdown(root, folder, outdir, args = []) {
  const command = join(root, "node_modules/tsdown/dist/run.mjs");
  const { FORCE_COLOR: _colour, ...env } = process.env;
  const child = spawn(process.execPath, [command, "--out-dir", outdir, "--logLevel", "warn", ...args], {
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

/** SHA-256 over names and bytes; inputs are files or folders relative to the root, in this order. */
export function digestOf(root, inputs) {
  const hash = createHash("sha256");
  for (const path of inputs.flatMap((input) => filesBelow(join(root, input)))) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

/** The file itself, or all files of a folder in a stable order; nothing where nothing is. */
export function filesBelow(path) {
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
