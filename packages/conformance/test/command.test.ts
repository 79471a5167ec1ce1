/** The built command over real sidecars: exit codes, manifests, forms of the report. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { impostorPath } from "./support/judging.ts";

const BIN = fileURLToPath(new URL("../bin/reasonix-conformance.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const POINT = "intercept.input.receive";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "reasonix-conformance-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], cwd = folder): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

test.concurrent("0 when it conforms, and the report ends with the sum", async () => {
  const { code, stdout } = await run(["--only", POINT, impostorPath("honest")]);
  expect(stdout).toContain("1 passed, 0 failed, 0 warnings, 0 did not apply. It conforms.");
  expect(code).toBe(0);
});

test.concurrent("1 when it does not, with the frame, what came and what was wanted; as TAP too", async () => {
  const args = ["--only", POINT, "--report", "tap", impostorPath("bad-decision"), '--result={"decision":"deny"}'];
  const { code, stdout } = await run(args);
  expect(stdout).toContain(`not ok 1 - ${POINT}: `);
  expect(stdout).toContain('  what: "the decision \\"deny\\" at input.receive"');
  expect(stdout).toContain('  got: "{\\"decision\\":\\"deny\\"}"');
  expect(stdout).toMatch(/ {2}sent: ".*extension\/intercept.*input\.receive/);
  expect(code).toBe(1);
});

test.concurrent("2 when it cannot be judged, and one sentence says why", async () => {
  expect(await run(["./nothing-here"])).toMatchObject({
    code: 2,
    stderr: `reasonix-conformance: ${join(folder, "nothing-here")} does not exist: name a program by its path\n`,
  });
  const usage = await run([]);
  expect(usage.code).toBe(2);
  expect(usage.stderr).toContain("Usage: reasonix-conformance");
});

test.concurrent("a program that cannot be started fails its handshake with the cause", async () => {
  const file = join(folder, "no-shebang");
  await writeFile(file, "just text\n", { mode: 0o644 });
  const { code, stdout } = await run(["--report=json", "--only=handshake.declaration", file]);
  const { checks } = JSON.parse(stdout);
  expect(checks[0].finding.what).toBe(`${file} is not executable: run chmod +x on it.`);
  expect(code).toBe(1);
});

test.concurrent("[L3] a manifest beside or above the program is read, and holds the declaration to it", async () => {
  const { code, stdout } = await run(
    ["--report=json", "--only=handshake.within-manifest", "examples/starter/dist/sidecar.cjs"],
    ROOT,
  );
  const report = JSON.parse(stdout);
  expect(report.manifest).toBe(join(ROOT, "examples/starter/reasonix-plugin.json"));
  expect(report.counts).toEqual({ passed: 1, failed: 0, warned: 0, skipped: 0 });
  expect(code).toBe(0);
});

test.concurrent("[G3] a folder stands for the manifest in it, and one without says so", async () => {
  const { code, stdout } = await run([`--only=${POINT}`, "--report=json", join(ROOT, "examples/starter")]);
  expect(JSON.parse(stdout)).toMatchObject({ manifest: join(ROOT, "examples/starter/reasonix-plugin.json") });
  expect(code).toBe(0);
  expect(await run(["."], tmpdir())).toMatchObject({
    code: 2,
    stderr: `reasonix-conformance: ${tmpdir()} is a folder without reasonix-plugin.json: name a program, or the folder of a plugin package\n`,
  });
  const { stderr } = await run([join(ROOT, "examples/starter"), "--loud"]);
  expect(stderr).toContain("examples/starter is a folder, and arguments came with it: they belong into runtime.args");
});

test.concurrent("[L1] command, arguments and environment come from the manifest, the root in each", async () => {
  const args = ["${REASONIX_PLUGIN_ROOT}/side.mjs", "--tag=!"];
  const runtime = { command: process.execPath, args, intercepts: ["input.receive"] };
  await writeFile(
    join(folder, "side.mjs"),
    `process.argv[1] = ${JSON.stringify(impostorPath("honest"))};\nawait import(process.argv[1]);\n`,
  );
  const manifest = join(folder, "reasonix-plugin.json");
  await writeFile(manifest, JSON.stringify({ apiVersion: "reasonix.io/plugin/v2", name: "tagger", runtime }));
  const { code, stdout } = await run(["--manifest", manifest, "--report=json", `--only=${POINT}`]);
  expect(JSON.parse(stdout)).toMatchObject({ declaration: { name: "tagger" }, checks: [{ remark: "replace" }] });
  expect(code).toBe(0);
});
