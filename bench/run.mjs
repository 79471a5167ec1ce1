#!/usr/bin/env node
/**
 * Builds, runs every program of `bench/src` one after another, and writes `bench/RESULTS.md`.
 * `--quick` takes one short run of each and `--only <text>` the rows whose name holds the text; both only print.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadNow, machineOf } from "./run/machine.mjs";
import { resultsPage, tableOf } from "./run/page.mjs";
import { listPrograms, runProgram } from "./run/programs.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, only: { type: "string" } } });
process.exitCode = main(values);

function main({ quick, only }) {
  const build = [join(root, "scripts/build.mjs"), "bench", "packages/reasonix"];
  if (spawnSync(process.execPath, build, { stdio: ["ignore", "ignore", "inherit"] }).status !== 0) return 1;
  // What was built is what is measured, whatever is committed meanwhile.
  const machine = machineOf(root);
  const sections = [];
  for (const program of listPrograms(root)) {
    process.stderr.write(`bench: ${program.name} …\n`);
    const section = { program, ...runProgram(root, program, { quick, only }) };
    if (section.failure !== null) process.stderr.write(`bench: ${program.name}: ${section.failure}\n`);
    if (section.rows.length > 0 || section.failure !== null) sections.push(section);
  }
  const rows = sections.flatMap((section) => section.rows);
  for (const section of sections) process.stdout.write(`\n## ${section.program.title}\n\n${tableOf(section.rows)}\n`);
  if (!quick && only === undefined) {
    const page = resultsPage({ sections, machine, loadAtEnd: loadNow() });
    writeFileSync(join(root, "bench/RESULTS.md"), page);
  }
  const goals = rows.filter((row) => row.goal !== "none");
  const reached = goals.filter((row) => row.reached);
  process.stdout.write(`\n${rows.length} rows, ${reached.length} of ${goals.length} goals reached\n`);
  if (rows.length === 0) process.stderr.write(`bench: no row's name holds "${only}"\n`);
  return rows.length === 0 || sections.some((section) => section.failure !== null) ? 1 : 0;
}
