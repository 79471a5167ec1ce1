/** The gate: runs every step, tells each one's outcome, and counts what passed and failed. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTests } from "./counts.mjs";
import { runProgram } from "./process.mjs";
import { STEPS } from "./steps.mjs";

/**
 * Variables that would make a test's outcome depend on where it runs. `NODE_EXTRA_CA_CERTS` only makes each start of
 * Node slower; tests talk to 127.0.0.1 alone.
 */
const UNSET = ["CI", "NO_COLOR", "FORCE_COLOR", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_TEST_CONTEXT"];

/** Runs `steps` in `root`. Resolves to {passed, failed}: passed tests, failed tests and steps. Never rejects. */
export async function runGate(root, steps = STEPS) {
  const scratch = mkdtempSync(join(tmpdir(), "reasonix-gate-"));
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  const outcomes = new Map();
  const context = { root, scratch, signal: stop.signal, outcomes };
  try {
    for (const round of [...new Set(steps.map((step) => step.round))].toSorted((a, b) => a - b)) {
      await Promise.all(steps.filter((step) => step.round === round).map((step) => runStep(step, context)));
      if (stop.signal.aborted) break;
    }
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    rmSync(scratch, { recursive: true, force: true });
  }
  const failed = [...outcomes].filter(([, { ok }]) => !ok).map(([name]) => name);
  // Their output may be far above by now.
  if (failed.length > 0) console.log(`failed: ${failed.join(", ")}`);
  return total([...outcomes.values()]);
}

async function runStep(step, context) {
  if (step.needs !== undefined && context.outcomes.get(step.needs)?.ok !== true) {
    console.log(`${step.name.padEnd(16)} not run: "${step.needs}" failed`);
    return;
  }
  const started = performance.now();
  const reportFile = join(context.scratch, "tests.json");
  const args = step.countsTests ? [...step.args, `--outputFile.json=${reportFile}`] : step.args;
  const { code, output, cause } = await runProgram(args, {
    cwd: context.root,
    env: stepEnvironment(context.scratch),
    deadline: step.deadline,
    show: step.countsTests === true,
    signal: context.signal,
  });
  const counts = step.countsTests
    ? countTests(readReport(reportFile), code)
    : { passed: 0, failed: code === 0 ? 0 : 1 };
  const ok = code === 0 && counts.failed === 0;
  context.outcomes.set(step.name, { ok, ...counts });
  const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  console.log(`${step.name.padEnd(16)} ${ok ? "ok    " : "FAILED"} ${seconds.padStart(8)}`);
  if (ok) return;
  const mend = step.mends === undefined ? "" : ` (to mend: ${step.mends})`;
  console.log(`  node ${step.args.join(" ")} ${cause ?? `ended with ${code}`}${mend}`);
  if (output !== "") console.log(output.replaceAll(/^/gm, "  "));
}

/** A home of the run's own: no test may touch a person's. */
function stepEnvironment(scratch) {
  const env = { ...process.env, REASONIX_HOME: join(scratch, "home") };
  for (const name of UNSET) delete env[name];
  return env;
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" || error instanceof SyntaxError) return null;
    throw error;
  }
}

function total(outcomes) {
  const sum = (pick) => outcomes.reduce((count, outcome) => count + pick(outcome), 0);
  return { passed: sum((outcome) => outcome.passed), failed: sum((outcome) => outcome.failed) };
}
