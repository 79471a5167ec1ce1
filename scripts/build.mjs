#!/usr/bin/env node
/** Builds everything that runs: the command, the examples' sidecars, the packages for embedders, the SDK, the benches. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSdk } from "./build/sdk.mjs";
import { listTargets } from "./build/targets.mjs";
import { placeFiles } from "./build/place.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.exitCode = await main();

async function main() {
  const started = performance.now();
  const esbuild = await import("esbuild").catch(() => null);
  if (esbuild === null) return withoutEsbuild();

  const sdk = settle("sdk/typescript", buildSdk(root));
  const targets = listTargets(root);
  const builds = targets.map((target) => settle(target.name, buildTarget(esbuild, target)));
  const outcomes = await Promise.all([sdk, ...builds]);
  await esbuild.stop();

  const failed = outcomes.filter((outcome) => outcome.error !== null);
  for (const { name, error } of failed) console.error(`build of ${name} failed:\n${error}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const total = outcomes.filter((outcome) => outcome.error !== null || outcome.value !== "none").length;
  if (failed.length > 0) {
    console.error(`build: ${failed.length} of ${total} targets failed (${seconds} s)`);
    return 1;
  }
  console.log(`build: ${total} targets up to date (${seconds} s)`);
  return 0;
}

/** An install that leaves out development packages also runs `prepare`; there is nothing it could build with. */
function withoutEsbuild() {
  const duringInstall = process.env.npm_lifecycle_event === "prepare";
  const text = "esbuild is not installed; run `npm ci` with development packages, then `npm run build`";
  if (duringInstall) console.log(`build skipped: ${text}`);
  else console.error(`build: ${text}`);
  return duringInstall ? 0 : 1;
}

async function buildTarget(esbuild, target) {
  const result = await esbuild.build({
    absWorkingDir: root,
    bundle: true,
    write: false,
    logLevel: "silent",
    platform: "node",
    target: "node20",
    conditions: ["@reasonix-ts/source"],
    charset: "utf8",
    ...target.options,
  });
  const files = result.outputFiles.map((file) => ({ path: file.path, bytes: file.contents }));
  await placeFiles(target.outdir, files, { mode: target.mode });
  return "built";
}

async function settle(name, work) {
  try {
    return { name, value: await work, error: null };
  } catch (error) {
    return { name, value: null, error: error instanceof Error ? error.message : String(error) };
  }
}
