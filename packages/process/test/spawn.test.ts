import { mkdtemp, rm, writeFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  endMarked,
  findMarked,
  MARKER_VARIABLE,
  newMarker,
  processIsAlive,
  runProgram,
  StartError,
  startProcess,
  tailOf,
  taskkillArguments,
} from "../src/index.ts";
import { lowestDescendantPid } from "../src/marker.ts";
import { allGone, readPids, until } from "./gone.ts";

let directory = "";
beforeEach(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "process-")));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("[L1] exec form", () => {
  test("[case W-01] arguments arrive as they are, whatever a shell would make of them", async () => {
    const args = ["$HOME", "a b", "; echo x", "`id`", "&", "%PATH%", "^", '"', "'", "*", "", "zoë 读"];
    const result = await runProgram({ command: "printf", args: ["<%s>", ...args] });
    expect(result.stdout.text).toBe(args.map((arg) => `<${arg}>`).join(""));
  });

  test("[case W-02] a command and a directory with spaces and other scripts in their names", async () => {
    const odd = path.join(directory, "Zoë 读 x.sh");
    await writeFile(odd, '#!/bin/sh\necho "$PWD"\n', { mode: 0o755 });
    const result = await runProgram({ command: odd, cwd: directory });
    expect(result.stdout.text).toBe(`${directory}\n`);
  });

  test("[X4] the environment given is the whole environment, plus the marker", async () => {
    const result = await runProgram({ command: "/usr/bin/env", env: { A: "1", B: undefined } });
    const lines = result.stdout.text.trim().split("\n").toSorted();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe("A=1");
    expect(lines[1]).toMatch(new RegExp(`^${MARKER_VARIABLE}=\\d+\\.[0-9a-f]{16}$`));
  });

  test("[L1] an executable text file without an interpreter line is refused, not handed to /bin/sh", async () => {
    const file = path.join(directory, "program");
    await writeFile(file, "touch was-run\n", { mode: 0o755 });
    const error = await startProcess({ command: file, cwd: directory }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({ errno: "ENOEXEC", command: file });
    const relative = startProcess({ command: "./program", cwd: directory });
    await expect(relative).rejects.toMatchObject({ errno: "ENOEXEC" });
    await expect(runProgram({ command: "ls", cwd: directory })).resolves.toMatchObject({
      stdout: { text: "program\n" },
    });
  });

  test.each([
    ["/nowhere/program", {}, "ENOENT"],
    ["no-such-program-anywhere", {}, "ENOENT"],
    ["/tmp", {}, "EACCES"],
    ["/bin/true", { cwd: "/nowhere" }, "ENOENT"],
    ["/bin/true", { args: ["a\0b"] }, "ERR_INVALID_ARG_VALUE"],
  ])("[case L-09] %s %j fails to start with %s", async (command, options, errno) => {
    await expect(startProcess({ command, ...options })).rejects.toMatchObject({ name: "StartError", errno });
  });
});

describe("[L5] a process is ended with all of its tree", () => {
  test("one that watches its input leaves by itself", async () => {
    const child = await startProcess({ command: "cat" });
    const report = await child.end({ graceMillis: 20_000 });
    expect(report).toMatchObject({ exit: { code: 0, signal: null }, killed: false, survivors: [] });
    expect(child.exit()).toBe(report.exit);
    expect(await child.end()).toBe(report);
  });

  test("[L5] a second call without grace ends the waiting of the first", async () => {
    const child = await startProcess({
      command: "bash",
      args: ["-c", "trap '' TERM; echo $$; exec 0</dev/null; while :; do sleep 1000; done"],
    });
    await readPids(child.stdout);
    const patient = child.end({ graceMillis: 3_600_000 });
    const report = await child.end({ graceMillis: 0 });
    expect(report).toMatchObject({ exit: { signal: "SIGKILL" }, killed: true });
    expect(await patient).toBe(report);
  });

  test("[T2] a stream that a descendant holds open is not waited for longer than asked", async () => {
    const child = await startProcess({ command: "bash", args: ["-c", "sleep 1000 & echo broken >&2; exit 4"] });
    const tail = tailOf(child.stderr);
    expect((await child.exited).code).toBe(4);
    await until("the text", () => tail.totalBytes() === 7);
    await tail.drained(10);
    expect(tail.text()).toBe("broken\n");
    await child.end();
    await tail.drained(20_000);
    await tail.ended;
  });

  test("[case L-01] one that ignores input, SIGTERM, SIGINT and SIGHUP dies with its grandchild, which ignores them too", async () => {
    const stubborn = "trap '' TERM INT HUP; (while :; do sleep 1000; done) & echo $$ $!; while :; do sleep 1000; done";
    const child = await startProcess({ command: "bash", args: ["-c", stubborn] });
    const pids = await readPids(child.stdout);
    expect(pids).toHaveLength(2);
    const report = await child.end({ graceMillis: 50, signal: "SIGTERM" });
    expect(report).toMatchObject({ exit: { code: null, signal: "SIGKILL" }, killed: true, survivors: [] });
    expect(findMarked(child.marker)).toEqual([]);
    await allGone(pids);
  });

  test("[case L-02] a wrapper that does not exec takes the real server with it, twenty times over", async () => {
    const pids: number[] = [];
    for (let i = 0; i < 20; i++) {
      const child = await startProcess({ command: "sh", args: ["-c", "sleep 1000 & echo $!; wait"] });
      pids.push(child.pid, ...(await readPids(child.stdout)));
      await child.end({ graceMillis: 0 });
    }
    expect(new Set(pids).size).toBe(40);
    await allGone(pids);
  });

  test("[case L-02] a wrapper that has died leaves a server behind, which is found and ended", async () => {
    const child = await startProcess({ command: "sh", args: ["-c", "sleep 1000 >/dev/null & echo $!"] });
    const pids = await readPids(child.stdout);
    await child.exited;
    expect(pids.map(processIsAlive)).toEqual([true]);
    expect(await child.end()).toMatchObject({ exit: { code: 0 }, killed: false, survivors: [] });
    await allGone(pids);
  });

  test("[case L-02] one that left group, session and parent is found by its marker", async () => {
    const script = "setsid sh -c 'sleep 1000 & echo $$ $!; wait' & wait";
    const child = await startProcess({ command: "sh", args: ["-c", script] });
    const pids = await readPids(child.stdout);
    expect(pids).toHaveLength(2);
    expect(await child.end({ graceMillis: 0 })).toMatchObject({ survivors: [] });
    await allGone(pids);
  });

  test("[L5] processes that fork while they are hunted are hunted on", async () => {
    const script = "setsid bash -c 'while :; do (sleep 1000 &) ; sleep 0.01; done' & echo $$; wait";
    const child = await startProcess({ command: "bash", args: ["-c", script] });
    await readPids(child.stdout);
    await until("a few forks", () => findMarked(child.marker).length > 5);
    expect(await child.end({ graceMillis: 0 })).toMatchObject({ survivors: [] });
    expect(findMarked(child.marker)).toEqual([]);
  });

  test("[R6] one marker groups the processes of a generation and spares all others", async () => {
    const generation = newMarker();
    const first = await startProcess({ command: "sleep", args: ["1000"], marker: generation });
    const second = await startProcess({ command: "sleep", args: ["1000"], marker: generation });
    const other = await startProcess({ command: "sleep", args: ["1000"] });
    expect(new Set(findMarked(generation))).toEqual(new Set([first.pid, second.pid]));
    expect(findMarked(first.marker)).toEqual([first.pid]);
    expect(findMarked(generation.slice(0, -1))).toEqual([]);
    expect(await endMarked(generation)).toEqual([]);
    expect((await first.exited).signal).toBe("SIGKILL");
    expect((await second.exited).signal).toBe("SIGKILL");
    expect(processIsAlive(other.pid)).toBe(true);
    await other.end({ graceMillis: 0 });
  });

  test("[L5] only processes that can be descendants are looked at", async () => {
    const child = await startProcess({ command: "sleep", args: ["1000"] });
    expect(findMarked(child.marker, child.pid)).toEqual([child.pid]);
    expect(findMarked(child.marker, child.pid + 1)).toEqual([]);
    // Pids are given out in ascending order: this one was the last, or nearly so.
    expect(lowestDescendantPid(child.pid, 0)).toBe(child.pid);
    expect(lowestDescendantPid(4_194_999, 0)).toBe(0);
    expect(lowestDescendantPid(child.pid, 3_600_000)).toBe(0);
    await child.end({ graceMillis: 0 });
  });

  test("[L5] on Windows the tree is ended by force", () => {
    expect(taskkillArguments(1234)).toEqual(["taskkill", "/PID", "1234", "/T", "/F"]);
  });
});

describe("[L6] writing to a process that is dead", () => {
  test("[case T-11] a hundred times eight megabytes: each write fails by itself, nothing is uncaught", async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): number => uncaught.push(error);
    process.on("uncaughtException", note);
    const frame = Buffer.alloc(8_388_608, 0x61);
    let failed = 0;
    for (let i = 0; i < 100; i++) {
      const child = await startProcess({ command: "/bin/sh", args: ["-c", "exit 3"] });
      await new Promise<void>((resolve) => {
        child.stdin.write(frame, (error) => {
          if (error) failed++;
          resolve();
        });
      });
      expect((await child.exited).code).toBe(3);
      child.stdin.end();
      await child.end();
    }
    process.off("uncaughtException", note);
    expect(failed).toBe(100);
    expect(uncaught).toEqual([]);
  });
});

describe("[T2] stderr is drained always and a bounded tail is kept", () => {
  const tailOfRun = async (script: string): Promise<{ text: string; total: number }> => {
    const child = await startProcess({ command: "bash", args: ["-c", script] });
    const tail = tailOf(child.stderr);
    await tail.ended;
    await child.end();
    return { text: tail.text(), total: tail.totalBytes() };
  };

  test("[case T-10] two megabytes before the first answer do not block it", async () => {
    const child = await startProcess({
      command: "bash",
      args: [
        "-c",
        "for ((i = 0; i < 40000; i++)); do echo 'a line of fifty bytes, one of very very many lines'; done >&2; echo ready",
      ],
    });
    const tail = tailOf(child.stderr);
    const [answer] = await new Promise<[Buffer]>((resolve) =>
      child.stdout.once("data", (piece: Buffer) => resolve([piece])),
    );
    expect(answer.toString()).toBe("ready\n");
    await tail.ended;
    await child.end();
    expect(tail.totalBytes()).toBe(2_040_000);
    const lines = tail.text().split("\n");
    expect(tail.text().length).toBeLessThanOrEqual(16_384);
    expect(lines.length).toBeGreaterThan(300);
    expect(new Set(lines)).toEqual(new Set(["a line of fifty bytes, one of very very many lines", ""]));
  });

  test("[case T-10] two hundred megabytes leave memory flat", async () => {
    const child = await startProcess({ command: "bash", args: ["-c", "head -c 209715200 /dev/zero >&2"] });
    let most = 0;
    const before = process.memoryUsage().rss;
    const tail = tailOf(child.stderr, {
      onData: () => {
        most = Math.max(most, process.memoryUsage.rss() - before);
      },
    });
    await tail.ended;
    await child.end();
    expect(tail.totalBytes()).toBe(209_715_200);
    expect(tail.text()).toHaveLength(16_384);
    expect(most).toBeLessThan(128 * 1_048_576);
  });

  test("[case T-10] a progress line without line end shows its last state", async () => {
    const { text, total } = await tailOfRun(
      "for ((i = 1; i <= 100000; i++)); do printf '\\rloading %06d of 100000' $i; done >&2; printf '\\nfailed\\n' >&2",
    );
    expect(total).toBe(2_500_008);
    expect(text).toBe("loading 100000 of 100000\nfailed\n");
  });

  test("[case W-04] bytes of a legacy code page become replacement characters", async () => {
    const { text } = await tailOfRun("printf '\\xb2\\xe2\\xca\\xd4\\n' >&2");
    expect(text).toBe("\ufffd\ufffd\ufffd\ufffd\n");
  });

  test.each([
    ["printf 'abc' >&2", "abc"],
    ["printf 'a\\r\\nb\\r\\n' >&2", "a\nb\n"],
    ["printf 'one\\rtwo\\r' >&2", "two\n"],
    ["printf '读—🎉' >&2", "读—🎉"],
    ["true", ""],
  ])("%s", async (script, wanted) => {
    expect((await tailOfRun(script)).text).toBe(wanted);
  });

  test("[X3] where the beginning is lost, the text starts with a whole line or word, and never inside a character", async () => {
    const { PassThrough } = await import("node:stream");
    const tailed = async (pieces: readonly string[], maxBytes: number): Promise<string> => {
      const stream = new PassThrough();
      const tail = tailOf(stream, { maxBytes });
      for (const piece of pieces) stream.write(piece);
      stream.end();
      await tail.ended;
      return tail.text();
    };
    expect(await tailed(["token=abcdef\nsecond line of text"], 24)).toBe("second line of text");
    expect(await tailed(["token=abcdef next word"], 16)).toBe("next word");
    expect(await tailed(["读".repeat(10)], 16)).toBe("读".repeat(5));
    expect(await tailed(["ab", "cd", "ef", "gh", "ij"], 4)).toBe("ghij");
    expect(await tailed(["x".repeat(100), "yz"], 8)).toBe("xxxxxxyz");
  });
});
