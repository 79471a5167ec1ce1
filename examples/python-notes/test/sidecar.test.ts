/** The Python sidecar: the referee finds nothing, and the guide's transcript and listing are what is here. */
import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL("../sidecar.py", import.meta.url));
const PLUGIN = fileURLToPath(new URL("..", import.meta.url));
const REFEREE = fileURLToPath(new URL("../../../packages/conformance/bin/reasonix-conformance.mjs", import.meta.url));
const guide = readFileSync(new URL("../../../docs/guides/any-language.md", import.meta.url), "utf8");

test("[G3] [T1] [L4] [L5] [C2] reasonix-conformance finds nothing wrong with it", { timeout: 120_000 }, async () => {
  const { stdout } = await run(process.execPath, [REFEREE, PLUGIN]);
  expect(stdout).toMatch(/^\d\d passed, 0 failed, 0 warnings, \d+ did not apply\. It conforms\.$/m);
});

test("[G1] the transcript of the guide is what the program says, frame by frame, and it exits with 0", async () => {
  const transcript = /^```text\n([\s\S]*?)^```$/m.exec(guide)?.[1]?.trimEnd().split("\n") ?? [];
  expect(transcript.length).toBeGreaterThan(8);
  const child = spawn(PROGRAM, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  try {
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const line of transcript) {
      const [who, frame] = [line.slice(0, 6), line.slice(6)];
      if (who === "host  ") child.stdin.write(`${frame}\n`);
      else expect(JSON.parse(String((await answers.next()).value))).toEqual(JSON.parse(frame));
    }
    child.stdin.end();
    expect(await ended).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});

test("[G1] the listing of the guide is the program", () => {
  expect(/^```python\n([\s\S]*?)^```$/m.exec(guide)?.[1]).toBe(readFileSync(PROGRAM, "utf8"));
});
