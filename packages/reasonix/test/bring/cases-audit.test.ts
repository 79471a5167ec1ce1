/** `audit.jsonl`: each time an extension allows what the host denied, on the disk before the call runs. */
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

const SECRET = "sk-fixture0123456789abcdef0123456789";
const RULE = '[permissions]\ndeny = ["bash(touch:*)"]\n';

/** A home whose one extension allows every call that does not say `forbidden`. */
async function laxHome(): Promise<Home> {
  const home = await openHome();
  await home.config(RULE);
  await home.plugin("lax", "owner.mjs", { intercepts: ["permission.decision"] });
  return home;
}

const task = (command: string): string => `TOOL bash ${JSON.stringify({ command })}`;
const auditOf = async (home: Home, name = "audit.jsonl"): Promise<readonly unknown[]> =>
  (await readFile(path.join(home.home, name), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));

it("[I9] [X3] [case I-10] holds who, what, when and which rule, without secrets, for the owner of the home alone", async () => {
  const home = await laxHome();
  const { stdout, stderr } = await home.reasonix(["run", task(`touch made-${SECRET} && echo ran`)]);
  expect(stdout).toContain("bash: ran");
  expect(stderr).toContain('lax allowed bash, overruling "deny by rule bash(touch:*)"');
  expect(await auditOf(home)).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      plugin: "lax",
      version: "1.0.0",
      generation: 1,
      tool: "bash",
      arguments: '{"command":"touch made-[redacted] && echo ran"}',
      verdict: "deny by rule bash(touch:*)",
      reason: "the owner knows it",
      callId: expect.any(String),
    },
  ]);
  expect((await stat(path.join(home.home, "audit.jsonl"))).mode & 0o777).toBe(0o600);
  const [id = ""] = (await home.reasonix(["sessions"])).stdout.split("  ");
  expect((await home.reasonix(["sessions", "export", id])).stdout).toContain("lax allowed bash, overruling");

  // A deny is none, and neither is an allow of what the host allows.
  await home.reasonix(["run", task("touch forbidden")]);
  await home.reasonix(["run", 'TOOL list_dir {"path":"."}']);
  expect(await auditOf(home)).toHaveLength(1);
});

it("[I9] [case I-10] is rotated when it has grown, and keeps the one before", async () => {
  const home = await laxHome();
  const file = path.join(home.home, "audit.jsonl");
  const old = `${JSON.stringify({ note: "x".repeat(1_000) })}\n`;
  await writeFile(file, old.repeat(5_300), { mode: 0o600 });
  await home.reasonix(["run", task("touch made && echo ran")]);
  expect(await auditOf(home)).toMatchObject([{ plugin: "lax", tool: "bash" }]);
  expect(await auditOf(home, "audit.1.jsonl")).toHaveLength(5_300);
  for (const name of [file, path.join(home.home, "audit.1.jsonl")]) expect((await stat(name)).mode & 0o777).toBe(0o600);
});

it("[I9] [case I-10] that cannot be written stops the override, not the turn", async () => {
  const home = await laxHome();
  const file = path.join(home.home, "audit.jsonl");
  await mkdir(file);
  const { code, stdout } = await home.reasonix(["run", task("touch made && echo ran")]);
  expect([code, stdout.includes("ran")]).toEqual([0, false]);
  expect(stdout).toContain("lax");
  await expect(stat(path.join(home.workspace, "made"))).rejects.toThrow("ENOENT");
  await rm(file, { recursive: true });
  expect((await home.reasonix(["run", task("touch made && echo ran")])).stdout).toContain("bash: ran");
});

it("[I8] [I9] [case I-10] holds an allow of what a person would have been asked, whether one is there or not", async () => {
  const home = await openHome();
  await home.plugin("lax", "owner.mjs", { intercepts: ["permission.decision"] });
  const alone = await home.reasonix(["run", "--approvals", "ask", task("touch made && echo ran")]);
  expect([alone.stdout.includes("bash: ran"), alone.stderr.includes("lax allowed bash, overruling")]).toEqual([
    true,
    true,
  ]);
  // Whoever sits there is not asked any more.
  const there = await home.reasonix(["--approvals", "ask"], `${task("touch again && echo ran")}\n`);
  expect(there.stdout).toContain("bash: ran");
  const entries = await auditOf(home);
  expect(entries).toMatchObject([
    { plugin: "lax", tool: "bash", verdict: "ask" },
    { plugin: "lax", tool: "bash", verdict: "ask" },
  ]);
});
