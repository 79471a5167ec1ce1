import { describe, expect, test } from "vitest";
import { describeExit, runProgram } from "../src/index.ts";
import { allGone } from "./gone.ts";

const shell = (script: string) => ({ command: "bash", args: ["-c", script] });

describe("[L5] a program that is run to its end", () => {
  test("gives its outputs, apart, and its code", async () => {
    const result = await runProgram(shell("echo out; echo err >&2; exit 7"));
    expect(result).toMatchObject({ outcome: "exited", exit: { code: 7, signal: null } });
    expect(result.stdout.text).toBe("out\n");
    expect(result.stderr.text).toBe("err\n");
    expect(result.exit && describeExit(result.exit)).toBe("exit code 7");
  });

  test("gets its input, and an end of input when there is none", async () => {
    expect((await runProgram({ command: "cat", input: "读\n" })).stdout.text).toBe("读\n");
    expect((await runProgram({ command: "cat" })).stdout.text).toBe("");
    const large = "x".repeat(3_000_000);
    expect((await runProgram({ command: "wc", args: ["-c"], input: large })).stdout.text.trim()).toBe("3000000");
  });

  test("does not mind an input that nobody reads", async () => {
    const result = await runProgram({ command: "/bin/true", input: "x".repeat(3_000_000) });
    expect(result).toMatchObject({ outcome: "exited", exit: { code: 0 } });
  });

  test("reports the signal that ended it", async () => {
    const { outcome, exit } = await runProgram(shell("kill -SEGV $$"));
    expect({ outcome, exit }).toMatchObject({ outcome: "exited", exit: { code: null, signal: "SIGSEGV" } });
    expect(exit && describeExit(exit)).toBe("signal SIGSEGV");
  });

  test("above the cap loses the middle of its output and goes on", async () => {
    const result = await runProgram({ ...shell("seq 1 100000; echo end"), maxOutputBytes: 22 });
    expect(result.exit).toMatchObject({ code: 0 });
    expect(result.stdout.text).toBe("1\n2\n3\n4\n5\n6\n[588877 bytes left out]\n100000\nend\n");
    expect(result.stdout).toMatchObject({ totalBytes: 588_899, omittedBytes: 588_877 });
  });

  test("is never cut inside a character", async () => {
    const { stdout } = await runProgram({ ...shell("printf '读读读读读读'"), maxOutputBytes: 10 });
    expect(stdout.text).toBe("读\n[12 bytes left out]\n读");
  });

  test.each([
    [1, "a"],
    [0, ""],
  ])("keeps %d bytes when told so", async (maxOutputBytes, head) => {
    const { stdout } = await runProgram({ ...shell("printf abc"), maxOutputBytes });
    expect(stdout.bytes.toString()).toBe(head);
    expect(stdout.omittedBytes).toBe(3 - maxOutputBytes);
  });

  test("is ended with its tree when its time is up, and what it said is kept", async () => {
    const result = await runProgram({
      ...shell("trap '' TERM; sleep 1000 & echo $$ $!; wait; wait; sleep 1000"),
      timeoutMillis: 300,
      graceMillis: 50,
    });
    expect(result).toMatchObject({ outcome: "timed_out", exit: { code: null, signal: "SIGKILL" } });
    const pids = result.stdout.text.trim().split(" ").map(Number);
    expect(pids).toHaveLength(2);
    await allGone(pids);
  });

  test("may clean up on SIGTERM", async () => {
    const result = await runProgram({
      ...shell("trap 'echo cleaned; exit 5' TERM; echo on; while :; do sleep 0.02; done"),
      timeoutMillis: 300,
      graceMillis: 20_000,
    });
    expect(result).toMatchObject({ outcome: "timed_out", exit: { code: 5 } });
    expect(result.stdout.text).toBe("on\ncleaned\n");
  });

  test("is ended when the caller gives up, before or during", async () => {
    const early = AbortSignal.abort(new Error("changed my mind"));
    await expect(runProgram({ command: "/bin/true", signal: early })).rejects.toThrow("changed my mind");
    const controller = new AbortController();
    const running = runProgram({
      ...shell("echo on; sleep 1000"),
      signal: controller.signal,
      graceMillis: 20_000,
      onStdout: () => controller.abort(),
    });
    expect(await running).toMatchObject({ outcome: "aborted", exit: { signal: "SIGTERM" } });
  });

  test("that leaves a process behind in the background does not hang, and the process is ended", async () => {
    const result = await runProgram(shell("sleep 1000 & echo $!"));
    expect(result).toMatchObject({ outcome: "exited", exit: { code: 0 } });
    await allGone([Number(result.stdout.text)]);
  });

  test("[L1] that does not exist fails with the system's word for it", async () => {
    await expect(runProgram({ command: "/nowhere/x" })).rejects.toMatchObject({ name: "StartError", errno: "ENOENT" });
  });
});
