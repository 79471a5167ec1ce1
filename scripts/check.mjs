#!/usr/bin/env node
/** The gate: build, generated files, types, lint, format, layers, unused code, tests; the last line counts them. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runGate } from "./gate/run.mjs";

const { passed, failed } = await runGate(join(dirname(fileURLToPath(import.meta.url)), ".."));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
