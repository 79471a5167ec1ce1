#!/usr/bin/env node
/**
 * Builds everything that runs: the command, the examples' sidecars, the packages for embedders, the SDK, the benches.
 * Arguments name targets, such as `examples/starter`; without any, all are built.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSdk } from "./build/sdk.mjs";
import { listTargets } from "./build/targets.mjs";
import { placeFiles } from "./build/place.mjs";

const SDK = "sdk/typescript";
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
process.exitCode = await main();

async function main() {
  const started = performance.now();
  const esbuild = await import("esbuild").catch(() => null);
  if (esbuild === null) return withoutEsbuild();

  const named = process.argv.slice(2);
  const wanted = (name) => named.length === 0 || named.includes(name);
  const sdk = wanted(SDK) ? [settle(SDK, buildSdk(root))] : [];
  const targets = listTargets(root).filter((target) => wanted(target.name));
  const builds = targets.map((target) => settle(target.name, buildTarget(esbuild, target)));
  const outcomes = await Promise.all([...sdk, ...builds]);
  await esbuild.stop();

  const failed = outcomes.filter((outcome) => outcome.error !== null);
  for (const error of new Set(failed.map((outcome) => outcome.error))) {
    const names = failed.filter((outcome) => outcome.error === error).map((outcome) => outcome.name);
    console.error(`build of ${names.join(", ")} failed:\n${error}\n`);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const missing = named.filter((name) => !outcomes.some((outcome) => outcome.name === name));
  if (missing.length > 0) {
    console.error(`build: no target is named ${missing.join(", ")}`);
    return 1;
  }
  const total = outcomes.filter((outcome) => outcome.error !== null || outcome.value !== "none").length;
  if (failed.length > 0) {
    console.error(`build: ${failed.length} of ${targetsText(total)} failed (${seconds} s)`);
    return 1;
  }
  const built = outcomes.filter((outcome) => outcome.value === "built").length;
  const fresh = built === 0 ? `${targetsText(total)} up to date` : `${targetsText(built)} built`;
  const rest = built === 0 || built === total ? "" : `, ${total - built} up to date`;
  console.log(`build: ${fresh}${rest} (${seconds} s)`);
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
  const written = await placeFiles(target.outdir, files, { mode: target.mode });
  return written ? "built" : "unchanged";
}

async function settle(name, work) {
  try {
    return { name, value: await work, error: null };
  } catch (error) {
    return { name, value: null, error: error instanceof Error ? error.message : String(error) };
  }
}

function targetsText(count) {
  return count === 1 ? "1 target" : `${count} targets`;
}
