/** The gate's counting and its outcomes, with small programs in place of the real steps. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countTests } from "../gate/counts.mjs";
import { firstDifference } from "../setup/packages.mjs";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gate-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((outcome) => ({ status: outcome })),
});

test.each([
  ["all pass", { numPassedTests: 3, numFailedTests: 0, testResults: [file("passed", "passed")] }, 0, 3, 0],
  ["one fails", { numPassedTests: 2, numFailedTests: 1, testResults: [file("failed", "failed")] }, 1, 2, 1],
  ["a file does not load", { numPassedTests: 2, numFailedTests: 0, testResults: [file("failed")] }, 1, 2, 1],
  ["an unhandled error", { numPassedTests: 2, numFailedTests: 0, testResults: [file("passed", "passed")] }, 1, 2, 1],
  ["no report", null, 1, 0, 1],
  ["no report from a run that ended well", null, 0, 0, 1],
])("%s", (_title, report, exitCode, passed, failed) => {
  expect(countTests(report, exitCode)).toEqual({ passed, failed });
});

/** Runs the gate on steps of the test's own, in a process of its own. */
async function gate(steps: readonly object[]) {
  const program = join(folder, "gate.mjs");
  const home = new URL("../gate/run.mjs", import.meta.url).href;
  await writeFile(
    program,
    `import { runGate } from ${JSON.stringify(home)};\n` +
      `console.log(JSON.stringify(await runGate(${JSON.stringify(folder)}, ${JSON.stringify(steps)})));\n`,
  );
  return new Promise<readonly string[]>((resolve, reject) => {
    const env = { ...process.env, CI: "1", NO_COLOR: "1" };
    execFile(process.execPath, [program], { env, timeout: 60_000 }, (error, stdout) => {
      if (error === null) resolve(stdout.trim().split("\n"));
      else reject(error);
    });
  });
}

test("a failed step is told with its output, the command that mends it, and counts as failed", async () => {
  const lines = await gate([
    { name: "good", round: 1, args: ["-e", "0"], deadline: 30_000 },
    { name: "bad", round: 2, args: ["-e", "console.log('why'); process.exit(3)"], deadline: 30_000, mends: "mend it" },
  ]);
  expect(lines[0]).toMatch(/^good {13}ok/);
  expect(lines[1]).toMatch(/^bad {14}FAILED/);
  expect(lines.slice(2)).toEqual([
    "  node -e console.log('why'); process.exit(3) ended with 3 (to mend: mend it)",
    "  why",
    "failed: bad",
    '{"passed":0,"failed":1}',
  ]);
});

test("a step that needs another is not run when that one failed, and later steps are", async () => {
  const mark = join(folder, "ran");
  const lines = await gate([
    { name: "build", round: 1, args: ["-e", "process.exit(1)"], deadline: 30_000 },
    { name: "tests", round: 2, needs: "build", args: ["-e", "0"], deadline: 30_000 },
    {
      name: "last",
      round: 3,
      args: ["-e", `require("fs").writeFileSync(${JSON.stringify(mark)}, "yes")`],
      deadline: 30_000,
    },
  ]);
  expect(lines).toContain('tests            not run: "build" failed');
  expect(await readFile(mark, "utf8")).toBe("yes");
  expect(lines.at(-1)).toBe('{"passed":0,"failed":1}');
});

test("a step that never ends is ended at its deadline", async () => {
  const lines = await gate([{ name: "stuck", round: 1, args: ["-e", "setInterval(() => {}, 1000)"], deadline: 300 }]);
  expect(lines).toContain("  node -e setInterval(() => {}, 1000) did not end within 0.3 s");
  expect(lines.at(-1)).toBe('{"passed":0,"failed":1}');
});

test("steps see a home of their own and no CI variables", async () => {
  const lines = await gate([
    {
      name: "look",
      round: 1,
      args: [
        "-e",
        "const e = process.env; console.log(e.CI, e.NO_COLOR, e.REASONIX_HOME.includes('reasonix-gate-')); process.exit(1)",
      ],
      deadline: 30_000,
    },
  ]);
  expect(lines).toContain("  undefined undefined true");
});

test("an install is needed when packages are absent or differ from the lock file, optional ones aside", () => {
  const wanted = {
    "": {},
    "packages/a": {},
    "node_modules/a": { version: "1.0.0" },
    "node_modules/fsevents": { version: "2.0.0", optional: true },
  };
  expect(firstDifference(wanted, null)).toBe("node_modules is absent");
  expect(firstDifference(wanted, {})).toBe("node_modules/a is not installed");
  expect(firstDifference(wanted, { "node_modules/a": { version: "1.0.0" } })).toBeNull();
  expect(firstDifference(wanted, { "node_modules/a": { version: "0.9.0" } })).toBe(
    "node_modules/a is 0.9.0, the lock file wants 1.0.0",
  );
});
