/** Starting, dying and stopping, with real processes. */
import { chmod, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processIsAlive } from "@reasonix-ts/process";
import { createHost } from "../src/index.ts";
import { fastClock } from "./support/fake-clock.ts";
import { FIXTURE, ruleOnce, setStage, until, type Script, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const intercepts = ["input.receive"] as const;

async function bootFailure(script: Script, overrides: object = {}): Promise<string> {
  const specs = [stage.spec("bad", { required: true, intercepts, ...overrides }, script)];
  const boot = await createHost(stage.options(specs));
  if (boot.kind === "ready") {
    await boot.host.stop();
    throw new Error("it started");
  }
  expect(boot.failures).toHaveLength(1);
  expect(boot.failures[0]).toMatchObject({ kind: "start_failed", plugin: "bad", version: "1.0.0", source: "/src/bad" });
  return boot.failures.map(({ reason, message }) => `${reason}: ${message}`).join();
}

test("[X1] nothing starts without a genuine permission", async () => {
  const options = stage.options([stage.spec("a")]);
  const forged = { ...options, permission: {} } as unknown as typeof options;
  await expect(createHost(forged)).rejects.toThrow("mintStartPermission");
  expect(await stage.log("a")).toEqual([]);
});

test("[L1] [L4] initialize is the first frame, initialized the second, and nothing comes before an answer", async () => {
  await stage.host([stage.spec("a", { intercepts }, { initDelay: 20 })]);
  const noted = async () => (await stage.log("a")).filter(({ method }) => method !== undefined);
  await until(async () => (await noted()).length === 2);
  const frames = await noted();
  expect(frames.map(({ method }) => method)).toEqual(["extension/initialize", "extension/initialized"]);
});

test("[L4] traffic before the barrier ends the connection", async () => {
  const text = await bootFailure({ early: { id: 1, method: "host/content/read", params: {} } });
  expect(text).toMatch(
    /^protocol_error: Plugin "bad" broke the protocol.*"host\/content\/read" before extension\/initialized/,
  );
});

test("[L3] [case L-06] an over-declaration fails the handshake", async () => {
  expect(await bootFailure({ init: { subscriptions: ["permission.decision"] } })).toMatch(
    /^capability_not_declared: .*subscription "permission.decision".*runtime\.intercepts/,
  );
});

test("[T2] [case T-01] a banner on stdout fails at once, quoted and redacted", async () => {
  const text = await bootFailure({ first: "[db] Connected with password=hunter2-secret\n" });
  expect(text).toMatch(/^protocol_error: Plugin "bad" .*\[db\] Connected.*Stdout is the protocol channel/);
  expect(text).not.toContain("hunter2");
});

test("[case L-09] a process that ends before it answers is told with exit code, command and stderr", async () => {
  const text = await bootFailure({ stderr: "python3: command not found, token=abcdef123456\n", exitAtOnce: 127 });
  expect(text).toMatch(/^activation_failed: Plugin "bad" did not start\. .*exit code 127 after \d+ ms/);
  expect(text).toContain(process.execPath);
  expect(text).toContain("python3: command not found");
  expect(text).not.toContain("abcdef123456");
});

test("[case L-09] not found, not executable, no shebang and wrong processor are told apart", async () => {
  const file = async (name: string, content: string | Buffer, mode: number): Promise<string> => {
    const at = path.join(stage.folder, name);
    await writeFile(at, content);
    await chmod(at, mode);
    return at;
  };
  const elf = Buffer.alloc(64);
  elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  elf.writeUInt16LE(2, 16);
  elf.writeUInt16LE(process.arch === "arm64" ? 62 : 183, 18);
  const commands = [
    path.join(stage.folder, "missing"),
    await file("plain", "#!/bin/sh\n", 0o644),
    await file("text", "print('hello')\n", 0o755),
    await file("elf", elf, 0o755),
  ];
  const texts: string[] = [];
  for (const command of commands) texts.push(await bootFailure({}, { command, args: [] }));
  expect(texts[0]).toContain("does not exist (ENOENT)");
  expect(texts[1]).toMatch(/not executable \(EACCES\).*chmod \+x/);
  expect(texts[2]).toContain("names no interpreter");
  expect(texts[3]).toContain("is built for");
});

test("[L3] an error reply to initialize fails the start with its text", async () => {
  expect(await bootFailure({ initError: { code: -32000, message: "licence expired" } })).toContain("licence expired");
});

test("[K2] [L2] an optional plugin that never answers is given up with the budget; the others are ready", async () => {
  const stalled = stage.spec("stalled", { intercepts, replaces: ["compaction"] }, { initDelay: "never" });
  const good = stage.spec("good", { intercepts }, { on: { "input.receive": { do: "tag", text: "!" } } });
  const host = await stage.host([stalled, good], { clock: fastClock(20) });
  const [missing, ready] = host.diagnostics().plugins;
  expect([missing?.state, ready?.state]).toEqual(["failed", "ready"]);
  expect(missing?.problem).toContain(
    `${FIXTURE} did not answer extension/initialize within the 30000 ms that all starts`,
  );
  expect(missing?.problem).toContain(`run it by hand: ${process.execPath} ${FIXTURE}`);
  expect(await stage.frames("stalled", "extension/initialize")).toHaveLength(1);
});

test("[K2] [L2] an optional plugin that is refused costs its session nothing but itself and its slots", async () => {
  const refused = stage.spec(
    "refused",
    { intercepts, replaces: ["compaction"] },
    { init: { subscriptions: ["no.such"] } },
  );
  const good = stage.spec("good", { intercepts }, { on: { "input.receive": { do: "tag", text: "!" } } });
  const host = await stage.host([refused, good]);
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ payload: { text: "x!" } });
  expect(stage.notices).toMatchObject([{ code: "start_failed", plugin: "refused", severity: "warn" }]);
  const failed = await ruleOnce(host, "compaction.complete", { summary: "s" });
  expect(failed).toMatchObject({ kind: "failed", plugin: "refused", reason: "capability_not_declared" });
  expect(host.diagnostics().plugins).toMatchObject([
    { plugin: "refused", state: "failed", pid: null, owns: ["compaction"] },
    { plugin: "good", state: "ready" },
  ]);
});

test("[L2] a required plugin that fails takes down what had started, and nothing is left", async () => {
  const good = stage.spec("good", { intercepts });
  const bad = stage.spec("bad", { required: true }, { exitAtOnce: 1, stderr: "boom" });
  const boot = await createHost(stage.options([good, bad]));
  expect(boot).toMatchObject({ kind: "failed", failures: [{ kind: "start_failed", plugin: "bad" }] });
  expect(boot.kind === "failed" ? boot.failures[0]?.message : "").toContain("boom");
});

test("[T2] [case T-10] two megabytes on stderr before the first reply do not stand in the way", async () => {
  const host = await stage.host([stage.spec("loud", { intercepts }, { stderrBytes: 2_000_000 })]);
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});

test("[L6] [L8] [case L-04] a crash settles the call at once with exit code and redacted stderr, and nothing restarts", async () => {
  const die = { do: "die", code: 3, stderr: "fatal: api_key=sk-fixture0123456789abcdef\n" };
  const spec = stage.spec("crash", { required: true, intercepts }, { on: { "input.receive": die } });
  const host = await stage.host([spec]);
  const ruling = await ruleOnce(host, "input.receive", { text: "x" });
  expect(ruling).toMatchObject({ kind: "failed", plugin: "crash", reason: "internal" });
  const message = ruling.kind === "failed" ? ruling.message : "";
  expect(message).toMatch(/Plugin "crash" ended with exit code 3 after \d+ ms\. It last wrote to stderr: fatal/);
  expect(message).not.toContain("sk-fixture");
  expect(await ruleOnce(host, "input.receive", { text: "y" })).toMatchObject({ kind: "failed" });
  expect(await stage.frames("crash", "extension/initialize")).toHaveLength(1);
  expect(host.diagnostics().plugins).toMatchObject([{ state: "gone" }]);
  expect(stage.notices).toMatchObject([{ code: "sidecar_died", severity: "error" }]);
  expect(await host.reload({ specs: [spec] })).toMatchObject({ kind: "done" });
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});

test("[L6] a sidecar that closes its output and runs on is ended, and its call settles", async () => {
  const script = { ignoreEnd: true, on: { "input.receive": { do: "closeOutput" } } };
  const host = await stage.host([stage.spec("mute", { required: true, intercepts }, script)]);
  const pid = Number(host.diagnostics().plugins[0]?.pid);
  const ruling = await ruleOnce(host, "input.receive", { text: "x" });
  expect(ruling.kind === "failed" ? ruling.message : "").toContain("was ended: it closed its output and ran on");
  expect(processIsAlive(pid)).toBe(false);
});

test.each([
  ["a stray line", "loading model, password=hunter2-secret", /protocol_error.*loading model/],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"result":{}}]', /protocol_error.*a batch/],
  ["a string id", '{"jsonrpc":"2.0","id":"1","result":{}}', /protocol_error.*not an integer/],
])("[T1] [T4] [case T-09] %s in mid-session ends the connection and says what came", async (_name, line, text) => {
  const script = { on: { "input.receive": { do: "raw", line } } };
  const host = await stage.host([stage.spec("noisy", { required: true, intercepts }, script)]);
  const ruling = await ruleOnce(host, "input.receive", { text: "x" });
  expect(ruling).toMatchObject({ kind: "failed", plugin: "noisy", reason: "protocol_error" });
  expect(ruling.kind === "failed" ? ruling.message : "").toMatch(text);
  expect(ruling.kind === "failed" ? ruling.message : "").not.toContain("hunter2");
});

test("[L6] [case L-04] an optional plugin that crashes is warned about once and skipped", async () => {
  const host = await stage.host([
    stage.spec("crash", { intercepts }, { on: { "input.receive": { do: "die" } } }),
    stage.spec("tag", { intercepts }, { on: { "input.receive": { do: "tag", text: "!" } } }),
  ]);
  for (let turn = 0; turn < 3; turn++) {
    expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ payload: { text: "x!" } });
  }
  expect(stage.notices.map(({ code }) => code)).toEqual(["sidecar_died"]);
});

test("[T3] [case T-05] an answer one byte over the frame limit ends the connection and names size and limit", async () => {
  const exact = { do: "bigReply", bytes: 8_388_608 };
  const over = { do: "bigReply", bytes: 8_388_609 };
  const script = { on: { "input.receive": [exact, over] } };
  const host = await stage.host([stage.spec("big", { required: true, intercepts }, script)]);
  const first = await ruleOnce(host, "input.receive", { text: "x" });
  expect(first.kind).toBe("blocked");
  const second = await ruleOnce(host, "input.receive", { text: "x" });
  expect(second).toMatchObject({ kind: "failed", reason: "frame_too_large" });
  expect(second.kind === "failed" ? second.message : "").toMatch(/8388609 bytes, over the limit of 8388608/);
});

test("[L5] [case L-01] the ladder: request, its timeout, input closed, tree killed, in under ten seconds", async () => {
  const script = {
    ignoreShutdown: true,
    ignoreEnd: true,
    ignoreSignals: ["SIGTERM", "SIGINT", "SIGHUP"],
    grandchild: "attached",
  };
  const host = await stage.host([stage.spec("stubborn", { intercepts }, script)]);
  await until(async () => (await stage.log("stubborn")).some(({ grandchild }) => grandchild !== undefined));
  const pids = [
    host.diagnostics().plugins[0]?.pid,
    (await stage.log("stubborn")).find((one) => one["grandchild"])?.["grandchild"],
  ];
  const startedAt = performance.now();
  await host.stop();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(pids.map((pid) => processIsAlive(Number(pid)))).toEqual([false, false]);
  const [shutdown] = await stage.frames("stubborn", "extension/shutdown");
  expect(shutdown?.params).toEqual({ timeoutMillis: 5000 });
  expect((await stage.log("stubborn")).at(-1)).toEqual({ stdin: "end" });
  expect(stage.notices.map(({ code }) => code)).toEqual(["shutdown_timeout"]);
});

test("[L5] a sidecar that closed its output keeps its grace to end in its own time", async () => {
  const host = await stage.host([stage.spec("slow", { intercepts }, { leavesSlowly: true })]);
  await host.stop();
  expect((await stage.log("slow")).at(-1)).toEqual({ left: "in its own time" });
});

test("[L5] a polite sidecar leaves by itself, and its escaped grandchild is found and ended", async () => {
  const host = await stage.host([stage.spec("parent", { intercepts }, { grandchild: "detached" })]);
  await until(async () => (await stage.log("parent")).some(({ grandchild }) => grandchild !== undefined));
  const pid = Number((await stage.log("parent")).find((one) => one["grandchild"])?.["grandchild"]);
  expect(processIsAlive(pid)).toBe(true);
  await host.stop();
  expect(processIsAlive(pid)).toBe(false);
  expect(stage.notices).toEqual([]);
});

test("[L5] [case L-02] a wrapper that does not exec leaves one live tree after reloads, and none after the stop", async () => {
  const wrapper = path.join(stage.folder, "run.sh");
  await writeFile(wrapper, `#!/bin/sh\nexec 3<&0\n"${process.execPath}" "${FIXTURE}" <&3 &\nwait\n`);
  await chmod(wrapper, 0o755);
  const spec = stage.spec("wrapped", { command: wrapper, args: [], intercepts });
  const host = await stage.host([spec]);
  const pids = [Number(host.diagnostics().plugins[0]?.pid)];
  for (let turn = 0; turn < 3; turn++) {
    const result = await host.reload({ specs: [spec] });
    expect(result.kind).toBe("done");
    pids.push(Number(result.plugins[0]?.newPid));
  }
  await until(() => host.diagnostics().retiring.length === 0);
  const inner = (await stage.log("wrapped")).flatMap((entry) => entry["pid"] ?? []).map(Number);
  expect([pids.map(processIsAlive), inner.map(processIsAlive)]).toEqual([
    [false, false, false, true],
    [false, false, false, true],
  ]);
  await host.stop();
  expect([...pids, ...inner].some(processIsAlive)).toBe(false);
});

test("[L5] [case L-02] a failed handshake leaves no grandchild behind, in the group or out of it", async () => {
  for (const grandchild of ["attached", "detached"])
    await bootFailure({ grandchild, init: { replaces: ["permission"] } });
  const pids = (await stage.log("bad")).flatMap((entry) => entry["grandchild"] ?? []).map(Number);
  expect(pids.map(processIsAlive)).toEqual([false, false]);
});

test("[L2] eight sidecars start, never more than four at a time", async () => {
  const specs = Array.from({ length: 8 }, (_, index) => stage.spec(`s${index}`, { intercepts }, { initDelay: 150 }));
  const host = await stage.host(specs);
  expect(host.diagnostics().plugins.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => "ready"));
  const spans = await Promise.all(
    specs.map(async ({ plugin }) => {
      const [, first, second] = await stage.log(plugin);
      return { from: Number(first?.["at"]), to: Number(second?.["at"]) };
    }),
  );
  const most = Math.max(...spans.map(({ from }) => spans.filter((one) => one.from <= from && from < one.to).length));
  expect(most).toBeLessThanOrEqual(4);
});

test("[case L-09] a script that the host's own Node runs is named, its error first, and the line to run by hand whole", async () => {
  const file = path.join(stage.folder, "server.mjs");
  await writeFile(file, 'import "./not-there.mjs";\n');
  const text = await bootFailure({}, { args: [file, "--mode", "two words", "--token=abcdef123456"] });
  expect(text).toContain(`Plugin "bad" did not start. ${file} ended with exit code 1 after `);
  expect(text).toMatch(
    /before it answered\. It failed with: Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module '.*not-there\.mjs'.*\. It last wrote to stderr: /,
  );
  expect(text).toContain(`Run it by hand to see more: ${process.execPath} ${file} --mode 'two words' --token=`);
  expect(text).not.toContain("abcdef123456");
});
