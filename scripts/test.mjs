#!/usr/bin/env node
/** `npm test` on a fresh machine: sets up what is missing, runs the gate, ends with `N passed, N failed`. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runGate } from "./gate/run.mjs";
import { providePackages } from "./setup/packages.mjs";
import { providePrograms } from "./setup/programs.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { passed, failed } = await main();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function main() {
  try {
    requireNode(20, 19);
    providePackages(root);
    providePrograms();
    return await runGate(root);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}

function requireNode(major, minor) {
  const [haveMajor = 0, haveMinor = 0] = process.versions.node.split(".").map(Number);
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return;
  throw new Error(`Node ${process.versions.node} is too old: install ${major}.${minor} or newer`);
}
