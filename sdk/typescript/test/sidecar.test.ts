/** `serve` as a real process: stdout stays clean, errors are answered, and the process ends when it should. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildFixture, HELLO, RawSidecar } from "./support/raw-sidecar.ts";

let folder = "";
let file = "";
let faulty = "";
const running: RawSidecar[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sdk-sidecar-"));
  [file, faulty] = await Promise.all([buildFixture("odd", folder), buildFixture("faulty", folder)]);
});
afterEach(() => {
  for (const sidecar of running.splice(0)) sidecar.kill();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As every host does, it names the plugin in the environment. */
function launch(env: { readonly [name: string]: string } = {}): RawSidecar {
  const sidecar = new RawSidecar(file, { REASONIX_PLUGIN_NAME: "odd", ...env });
  running.push(sidecar);
  return sidecar;
}

test("[G1] answers the handshake, with id 0 as with any other", async () => {
  const sidecar = launch();
  sidecar.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "extension/initialize", params: HELLO })}\n`);
  expect(await sidecar.reply(0)).toEqual({
    jsonrpc: "2.0",
    id: 0,
    result: {
      name: "odd",
      version: "1.2.3",
      protocolVersion: "2",
      stateSchemaVersion: 0,
      subscriptions: ["input.receive"],
    },
  });
});

test("[T1] [case T-01] what is printed while loading and later goes to stderr, in full", async () => {
  const sidecar = launch();
  await sidecar.start();
  expect(await sidecar.input("print")).toMatchObject({ result: { decision: "continue" } });
  expect(await sidecar.input("connected?")).toMatchObject({ result: { decision: "continue" } });
  const printed = [
    "[db] connected, from console.log at load",
    "[db] connected, from stdout.write at load",
    "from console.log",
    "from console.info",
    "from console.debug",
    "{ from: 'console.dir' }",
    "console.table",
    "from stdout.write",
  ];
  await sidecar.until(() => (printed.every((text) => sidecar.stderr.includes(text)) ? true : undefined));
});

test("[T1] [case T-03] [case T-04] frames with CRLF, blank lines and characters cut anywhere are read", async () => {
  const sidecar = launch();
  await sidecar.start();
  const text = "读—🎉\u2028\u0085";
  const params = { event: "input.receive", seq: 1, payload: { text }, timeoutMillis: 5_000 };
  const frame = JSON.stringify({ jsonrpc: "2.0", id: 77, method: "extension/intercept", params });
  for (const byte of Buffer.from(`\r\n\n${frame}\r\n`)) {
    sidecar.write(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  expect(await sidecar.reply(77)).toMatchObject({ result: { replacement: { text: `[${text}]` } } });
});

test("[E1] a handler that throws answers with its message, credentials taken out, and the sidecar goes on", async () => {
  const sidecar = launch();
  await sidecar.start();
  expect(await sidecar.input("throw")).toMatchObject({
    error: {
      code: -32603,
      message: "the handler threw; token=[redacted]",
      data: { reason: "internal", retryable: true },
    },
  });
  expect(await sidecar.input("on")).toMatchObject({ result: { replacement: { text: "[on]" } } });
});

test("[G1] an unhandled rejection is logged and ends nothing", async () => {
  const sidecar = launch();
  await sidecar.start();
  expect(await sidecar.input("reject")).toMatchObject({ result: { decision: "continue" } });
  await sidecar.until(() => (sidecar.stderr.includes("unhandled rejection: nobody caught this") ? true : undefined));
  expect(await sidecar.input("on")).toMatchObject({ result: { replacement: { text: "[on]" } } });
});

test("[E1] [case Z-03] unknown requests are -32601, unknown notifications and error replies without id are ignored", async () => {
  const sidecar = launch();
  await sidecar.start();
  sidecar.notify("extension/resources/changed", { paths: ["x"] });
  sidecar.notify("extension/of/the/future", {});
  sidecar.write('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}\n');
  expect(await sidecar.request("extension/of/the/future", {})).toMatchObject({
    error: { code: -32601, message: "this extension does not serve extension/of/the/future" },
  });
});

test.each(["defined", "served"])("[G1] a mistake in an extension is one line on stderr: %s", async (kind) => {
  const sidecar = new RawSidecar(faulty, { REASONIX_PLUGIN_NAME: "faulty", FAULTY: kind });
  running.push(sidecar);
  expect(await sidecar.ended).toEqual([1, null]);
  const by = kind === "served" ? "serve" : "defineExtension";
  expect(sidecar.stderr.split("; there are ")[0]).toBe(`[faulty] ${by}: intercept["input.recieve"] is no hook point`);
  expect(sidecar.stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("[G1] an onStart that throws ends the sidecar with its message, after what waited was answered", async () => {
  const sidecar = new RawSidecar(faulty, { REASONIX_PLUGIN_NAME: "faulty" });
  running.push(sidecar);
  const hello = sidecar.send("extension/initialize", HELLO);
  await sidecar.reply(hello);
  const params = { event: "input.receive", seq: 1, payload: { text: "x" }, timeoutMillis: 5_000 };
  // In one piece, so that the call is there when onStart fails.
  const frames = [
    { jsonrpc: "2.0", method: "extension/initialized", params: {} },
    { jsonrpc: "2.0", id: 77, method: "extension/intercept", params },
  ];
  sidecar.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
  expect(await sidecar.reply(77)).toMatchObject({ error: { message: "no database at 127.0.0.1:5432" } });
  expect(await sidecar.ended).toEqual([1, null]);
  expect(sidecar.stderr).toContain("[faulty] onStart failed: no database at 127.0.0.1:5432");
});

test("[T3] an answer over the frame limit becomes an error that names both sizes", async () => {
  const sidecar = launch();
  await sidecar.start();
  expect(await sidecar.input("huge")).toMatchObject({
    error: {
      code: -32000,
      message: expect.stringMatching(/^the answer to extension\/intercept has 90\d{5} bytes, a frame may have 8388608/),
      data: { reason: "frame_too_large" },
    },
  });
  expect(await sidecar.input("on")).toMatchObject({ result: { replacement: { text: "[on]" } } });
});

test("[I14] a handler's signal fires when its budget is used up", async () => {
  const sidecar = launch();
  await sidecar.start();
  expect(await sidecar.input("budget", 50)).toMatchObject({ result: { decision: "block", reason: "0" } });
});

test("[L5] the goodbye is answered after onShutdown, and the process exits with 0 while stdin is still open", async () => {
  const sidecar = launch();
  await sidecar.start();
  const reply = await sidecar.request("extension/shutdown", { timeoutMillis: 5_000 });
  expect(reply).toMatchObject({ result: { accepted: true } });
  expect(await sidecar.ended).toEqual([0, null]);
  expect(sidecar.stderr).toContain("[odd] goodbye\n");
});

test("[L5] [case L-01] an onShutdown that hangs does not hold up the answer beyond the host's time", async () => {
  const sidecar = launch({ ODD_HANG: "1" });
  await sidecar.start();
  const reply = await sidecar.request("extension/shutdown", { timeoutMillis: 400 });
  expect(reply).toMatchObject({ result: { accepted: true } });
  expect(await sidecar.ended).toEqual([0, null]);
});

test("[L5] the end of stdin ends the process although a handler and onShutdown hang", async () => {
  const sidecar = launch({ ODD_HANG: "1" });
  await sidecar.start();
  sidecar.send("extension/intercept", {
    event: "input.receive",
    seq: 1,
    payload: { text: "hang" },
    timeoutMillis: 60_000,
  });
  await sidecar.until(() => (sidecar.stderr.includes("hanging") ? true : undefined));
  sidecar.process.stdin.end();
  expect(await sidecar.ended).toEqual([0, null]);
  expect(sidecar.stderr).toContain("[odd] goodbye\n");
});

test("[T1] bytes that are no frame end the process with 1 and a sentence on stderr", async () => {
  const sidecar = launch();
  await sidecar.start();
  sidecar.write("Content-Length: 12\r\n");
  expect(await sidecar.ended).toEqual([1, null]);
  expect(sidecar.stderr).toContain("Content-Length: 12");
});

test("[T3] [case T-05] a frame of exactly 8 MiB is answered, one byte more ends the connection with both sizes", async () => {
  const sidecar = launch();
  await sidecar.start();
  const params = { event: "input.receive", seq: 1, payload: { text: "on" }, timeoutMillis: 5_000, padding: "" };
  const frame = (bytes: number): string => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 88, method: "extension/intercept", params });
    return text.replace('"padding":""', `"padding":"${"x".repeat(bytes - text.length)}"`);
  };
  expect(frame(8_388_608).length).toBe(8_388_608);
  sidecar.write(`${frame(8_388_608)}\n`);
  expect(await sidecar.reply(88)).toMatchObject({ result: { replacement: { text: "[on]" } } });
  sidecar.write(`${frame(8_388_609)}\n`);
  expect(await sidecar.ended).toEqual([1, null]);
  expect(sidecar.stderr).toMatch(/\[odd\] .*8388609.*8388608/);
});

test("[T2] a host that closes the log does not end the sidecar", async () => {
  const sidecar = launch();
  await sidecar.start();
  sidecar.process.stderr.destroy();
  expect(await sidecar.input("print")).toMatchObject({ result: { decision: "continue" } });
  expect(await sidecar.input("reject")).toMatchObject({ result: { decision: "continue" } });
  expect(await sidecar.input("on")).toMatchObject({ result: { replacement: { text: "[on]" } } });
  sidecar.process.stdin.end();
  expect(await sidecar.ended).toEqual([0, null]);
});

test("[L5] the interrupt key of a terminal, which reaches the whole group, does not end a sidecar", async () => {
  const sidecar = launch();
  await sidecar.start();
  sidecar.process.kill("SIGINT");
  expect(await sidecar.input("on")).toMatchObject({ result: { replacement: { text: "[on]" } } });
});

test("[L5] [case L-02] a host that is killed leaves no sidecar behind", async () => {
  const script = `
    const { spawn } = require("node:child_process");
    const sidecar = spawn(process.execPath, [${JSON.stringify(file)}], { stdio: ["pipe", "pipe", "inherit"], detached: true });
    sidecar.stdin.write(${JSON.stringify(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "extension/initialize", params: HELLO })}\n`)});
    sidecar.stdout.once("data", () => console.log(sidecar.pid));
  `;
  const host = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  const [line]: unknown[] = await once(host.stdout, "data");
  const pid = Number(String(line));
  expect(isAlive(pid)).toBe(true);
  host.kill("SIGKILL");
  await once(host, "exit");
  const deadline = Date.now() + 20_000;
  while (isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isAlive(pid)).toBe(false);
});

/** A process that has ended counts as gone also while nobody has asked for its exit code. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, "utf8"));
}
