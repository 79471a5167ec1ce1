/** `plugin doctor`: a trial start with all that was said, and what it knows of the host's tools. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApp } from "../support/app.ts";

interface Live {
  readonly ok: boolean;
  readonly verdict: string;
  readonly millis: number;
  readonly frames: readonly { readonly direction: string; readonly text: string; readonly atMillis: number }[];
}

test("[L1] [X3] --live prints each frame, the verdict and the time, in the words of a real start", async () => {
  const app = await openApp();
  await app.plugin("bad", { intercepts: ["input.receive"] }, { noise: "ready, token=abcdef123456\n" });
  await app.plugin("good", { intercepts: ["input.receive"] });
  const traced = join(app.folder, "frames.jsonl");
  const [text, json, runtime] = await Promise.all([
    app.call(["plugin", "doctor", "good", "--live"], { env: { REASONIX_TRACE: traced } }),
    app.call(["plugin", "doctor", "--live", "--json"]),
    app.call(["doctor", "runtime", "--json"]),
  ]);

  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(
    /^ {2}handshake: It started and answered the handshake as its manifest says\. \([\d.]+ m?s\)\n {4}[\d.]+ m?s → \{"jsonrpc":"2\.0","id":1,"method":"extension\/initialize",.*\n {4}[\d.]+ m?s ← \{"jsonrpc":"2\.0","id":1,"result":\{"name":"good",.*\n {4}[\d.]+ m?s → \{"jsonrpc":"2\.0","method":"extension\/initialized","params":\{\}\}\n {4}[\d.]+ m?s → .*"extension\/shutdown"/m,
  );

  const lines = (await readFile(traced, "utf8")).trimEnd().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ plugin: "good", direction: "out", frame: { id: 1 } });

  expect(json.code).toBe(1);
  const [bad, good]: readonly Live[] = JSON.parse(json.stdout).plugins.map(({ live }: { live: Live }) => live);
  expect(good?.ok).toBe(true);
  expect(good?.frames.map(({ direction }) => direction).slice(0, 3)).toEqual(["sent", "received", "sent"]);
  const times = good?.frames.map(({ atMillis }) => atMillis) ?? [];
  expect(times).toEqual([...times].sort((left, right) => left - right));
  expect(bad?.ok).toBe(false);
  expect(bad?.verdict).toMatch(/^Plugin "bad" broke the protocol and was ended \(protocol_error\): it sent .*ready/);
  // At run time the same sentence is told.
  const told = JSON.parse(runtime.stdout).findings.map((finding: { readonly text: string }) => finding.text);
  expect(told).toEqual([expect.stringContaining(bad?.verdict ?? "")]);
  expect(bad?.frames.map(({ direction }) => direction)).toContain("received");
  expect(json.stdout).not.toContain("abcdef123456");
});

test("[T2] [X3] --live prints what the sidecar writes to stderr, without secrets", async () => {
  const app = await openApp();
  const root = await app.plugin("loud", { intercepts: ["input.receive"] });
  const file = join(root, "sidecar.mjs");
  const source = await readFile(file, "utf8");
  const [shebang = "", ...rest] = source.split("\n");
  await writeFile(file, [shebang, 'console.error("no licence, token=abcdef123456");', ...rest].join("\n"));
  const { stdout } = await app.call(["plugin", "doctor", "loud", "--live"]);
  expect(stdout).toMatch(/^ {4}[\d.]+ m?s · stderr: no licence, token=\[redacted\]$/m);
});

test("[M1] [case K-01] a script that fails is named with its own error, and a slot for no tool with the nearest", async () => {
  const app = await openApp();
  const root = await app.plugin("typo", { replaces: ["tool:bsh"], args: ["--fast"] });
  const file = join(root, "sidecar.mjs");
  await writeFile(file, 'throw new Error("no licence here");\n');
  const { code, stdout } = await app.call(["plugin", "doctor", "typo", "--live", "--json"]);
  expect(code).toBe(1);
  const [{ findings, live }] = JSON.parse(stdout).plugins;
  expect(findings).toContainEqual(
    expect.objectContaining({ code: "slot_target_unknown", cause: 'no tool is named "bsh". Did you mean "bash"?' }),
  );
  expect(live.verdict).toMatch(/^Plugin "typo" did not start\. (\S+) ended with exit code 1 after /);
  expect(live.verdict).toContain(` ${file} ended with exit code 1`);
  expect(live.verdict).toContain("before it answered. It failed with: Error: no licence here.");
  expect(live.verdict).toContain(`Run it by hand to see more: ${process.execPath} ${file} --fast`);
  const frames: Live["frames"] = live.frames;
  expect(frames.filter(({ direction }) => direction !== "logged")).toMatchObject([{ direction: "sent" }]);
  expect(frames.map(({ text }) => text)).toContain("stderr: Error: no licence here");
});

test("[L3] [G3] a name or version of the handshake that differs from the manifest's is told", async () => {
  const app = await openApp();
  await app.plugin("mine", {}, { init: { name: "yours", version: "9.9.9" } });
  const { code, stdout } = await app.call(["plugin", "doctor", "mine", "--live", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).plugins[0].live).toMatchObject({
    ok: true,
    verdict:
      "It started and answered the handshake as its manifest says. " +
      "There it calls itself yours 9.9.9, and is installed as mine 1.0.0.",
  });
});
