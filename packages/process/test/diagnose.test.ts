import { chmod, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  commandLine,
  diagnoseStart,
  inspectCommand,
  StartError,
  startProcess,
  tailOf,
  type CommandFacts,
  type StartDiagnosis,
  type StartFacts,
} from "../src/index.ts";

let directory = "";
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "diagnose-")));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function program(name: string, content: string | Uint8Array, mode = 0o755): Promise<string> {
  const file = path.join(directory, name);
  await writeFile(file, content);
  await chmod(file, mode);
  return file;
}

/** A file that begins like a program for the given processor, and asks for the given loader. */
function elf(machine: number, loader?: string): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write("\x7fELF\x02\x01\x01", 0, "latin1");
  bytes.writeUInt16LE(2, 16);
  bytes.writeUInt16LE(machine, 18);
  bytes.writeUInt32LE(1, 20);
  if (loader === undefined) return bytes;
  bytes.writeUInt32LE(64, 32);
  bytes.writeUInt16LE(64, 52);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(3, 64);
  bytes.writeUInt32LE(256, 72);
  bytes.write(`${loader}\0`, 256, "latin1");
  return bytes;
}

/** Starts the command for real and explains why no answer came. */
async function explain(
  command: string,
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<StartDiagnosis> {
  const facts = { command: await inspectCommand({ command, ...options }), platform: "linux", arch: process.arch };
  try {
    const child = await startProcess({ command, ...options });
    const tail = tailOf(child.stderr);
    child.stdin.end();
    const exit = await child.exited;
    await tail.ended;
    await child.end();
    return diagnoseStart({ ...facts, failure: { type: "exited", exit } });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return diagnoseStart({ ...facts, failure: { type: "refused", errno: error.errno } });
  }
}

describe("[L1] why a program did not start, seen on the real thing", () => {
  test("[case L-09] the command does not exist", async () => {
    const file = path.join(directory, "absent");
    expect(await explain(file)).toEqual({
      code: "command_not_found",
      message: `The command ${file} does not exist (ENOENT).`,
      next: "Build or restore the file, or correct the command.",
    });
  });

  test("[case L-09] the command is not executable", async () => {
    const file = await program("plain file", "#!/bin/sh\n", 0o644);
    expect(await explain(file)).toEqual({
      code: "not_executable",
      message: `The command ${file} is not executable (EACCES).`,
      next: `Run: chmod +x '${file}'`,
    });
  });

  test("[case L-09] a text file without an interpreter line", async () => {
    const file = await program("no-shebang", "console.log(1)\n");
    expect(await explain(file)).toEqual({
      code: "no_shebang",
      message: `The command ${file} is a text file whose first line names no interpreter.`,
      next: 'Begin the file with a line such as "#!/usr/bin/env node".',
    });
  });

  test("[case L-09] a program for another processor", async () => {
    const [machine, cpu] = process.arch === "arm64" ? [62, "x64"] : [183, "arm64"];
    const file = await program("other-cpu", elf(machine));
    expect(await explain(file)).toEqual({
      code: "wrong_cpu",
      message: `The command ${file} is built for ${cpu}, and this machine is ${process.arch}.`,
      next: `Install or build the linux ${process.arch} version.`,
    });
  });

  test("[case L-09] the program ends by itself before it answers", async () => {
    const file = await program("early", "#!/bin/sh\necho 'python3: command not found' >&2\nexit 127\n");
    const { code, message, next } = await explain(file);
    expect(code).toBe("exited_before_answer");
    expect(message.replace(/after \d+ ms/, "after N ms")).toBe(
      `${file} ended with exit code 127 after N ms, before it answered.`,
    );
    expect(next).toBe(`Run it by hand to see more: ${file}`);
  });

  test("[case K-01] the interpreter is missing", async () => {
    const file = await program("no-interpreter", "#!/opt/none/python3\n");
    expect(await explain(file)).toEqual({
      code: "missing_interpreter",
      message: `The first line of ${file} asks for the interpreter "/opt/none/python3", which is not installed.`,
      next: 'Install "/opt/none/python3" or correct the first line of the file.',
    });
  });

  test("[case K-01] a first line with CR LF", async () => {
    const file = await program("crlf", "#!/bin/sh\r\necho hi\r\n");
    const { code, message } = await explain(file);
    expect(code).toBe("crlf_shebang");
    expect(message).toBe(
      `The first line of ${file} ends with CR LF, so the system looks for an interpreter named "/bin/sh\\r".`,
    );
  });

  test("[case K-01] an empty file, a directory, a dangling link, a loader that is not there", async () => {
    expect((await explain(await program("empty", ""))).code).toBe("empty_file");
    expect((await explain(directory)).code).toBe("command_is_directory");
    const link = path.join(directory, "link");
    await symlink(path.join(directory, "moved-away"), link);
    expect((await explain(link)).code).toBe("command_not_found");
    const foreignLibrary = await program("musl", elf(process.arch === "arm64" ? 183 : 62, "/lib/ld-none-x86_64.so.1"));
    expect(await explain(foreignLibrary)).toMatchObject({
      code: "missing_loader",
      message: `The command ${foreignLibrary} needs the loader /lib/ld-none-x86_64.so.1, which this system does not have.`,
    });
  });

  test("[case L-09] the working directory does not exist", async () => {
    expect(await explain("/bin/sh", { cwd: "/nowhere" })).toMatchObject({
      code: "working_directory_missing",
      message: "The working directory /nowhere does not exist (ENOENT).",
    });
  });

  test("[case K-03] a bare command that is in no directory of PATH, which is named", async () => {
    expect(await explain("no-such-tool", { env: { PATH: "/nowhere/bin:/bin" } })).toEqual({
      code: "command_not_in_path",
      message: 'The command "no-such-tool" is in no directory of PATH (ENOENT). Searched: /nowhere/bin:/bin.',
      next: 'Install "no-such-tool" or give its absolute path.',
    });
  });

  test("[case K-03] an interpreter that env looks up in a short PATH", async () => {
    const file = await program("via-env", "#!/usr/bin/env -S some-runtime --flag\n");
    expect(await explain(file, { env: { PATH: "/nowhere/bin" } })).toMatchObject({
      code: "missing_interpreter",
      message: `The first line of ${file} asks for the interpreter "some-runtime", which is not installed. Searched: /nowhere/bin.`,
    });
  });

  test("[case L-09] the program is ended by a signal", async () => {
    const file = await program("killed", "#!/bin/sh\nkill -KILL $$\n");
    const { code, message, next } = await explain(file);
    expect(code).toBe("killed_before_answer");
    expect(message).toContain("was ended by signal SIGKILL after ");
    expect(next).toBe("Look for the out-of-memory killer in the system's log.");
  });
});

describe("[L1] the decision alone", () => {
  const healthy: CommandFacts = {
    command: "./tool",
    resolved: "/p/tool",
    searchPath: ["/usr/bin", "/bin"],
    cwd: "/w",
    cwdExists: true,
    kind: { type: "elf", cpu: "x64", loader: null },
    executable: true,
    interpreter: null,
  };
  const refused = (errno: string): StartFacts["failure"] => ({ type: "refused", errno });
  const base: StartFacts = { command: healthy, failure: refused("EACCES"), platform: "linux", arch: "x64" };

  test.each<readonly [string, Partial<CommandFacts>, Partial<StartFacts>, StartDiagnosis["code"]]>([
    ["Windows program on Linux", { kind: { type: "windows" } }, {}, "wrong_system"],
    ["macOS program on Linux", { kind: { type: "macos" } }, {}, "wrong_system"],
    ["Linux program on macOS", {}, { platform: "darwin", arch: "arm64" }, "wrong_system"],
    [
      "32-bit program that ran",
      { kind: { type: "elf", cpu: "ia32", loader: null } },
      { failure: { type: "exited", exit: { code: 1, signal: null, elapsedMillis: 4 } } },
      "exited_before_answer",
    ],
    ["32-bit program that did not", { kind: { type: "elf", cpu: "ia32", loader: null } }, {}, "wrong_cpu"],
    [
      "no execute bit on Windows",
      { kind: { type: "windows" }, executable: false },
      { platform: "win32" },
      "start_refused",
    ],
    ["nothing to be seen", {}, { failure: refused("EMFILE") }, "start_refused"],
  ])("[case L-09] %s", (_title, command, facts, code) => {
    expect(diagnoseStart({ ...base, ...facts, command: { ...healthy, ...command } }).code).toBe(code);
  });

  test("[case K-03] a login shell with another PATH is pointed out", () => {
    const command: CommandFacts = {
      ...healthy,
      command: "node",
      resolved: null,
      kind: { type: "missing" },
      executable: false,
    };
    const failure = refused("ENOENT");
    expect(diagnoseStart({ ...base, command, failure, loginPath: "/home/u/.nvm/bin:/usr/bin:/bin" })).toEqual({
      code: "command_not_in_path",
      message:
        'The command "node" is in no directory of PATH (ENOENT). Searched: /usr/bin:/bin. A login shell\'s PATH differs: /home/u/.nvm/bin:/usr/bin:/bin.',
      next: 'Install "node" or give its absolute path. A program started from a desktop has a shorter PATH than a terminal.',
    });
  });

  test("[X2] [case U-02] an argument with line ends forges no line of its own", () => {
    expect(commandLine("/p/run", ["\nFULL TRUST\u001b[1m", "it's\u2028"])).toBe(
      "/p/run $'\\u000aFULL TRUST\\u001b[1m' $'it\\'s\\u2028'",
    );
  });

  test("[case L-09] a script that an interpreter runs is named, and the whole line can be run by hand", () => {
    const command: CommandFacts = { ...healthy, command: "/usr/bin/node", resolved: "/usr/bin/node" };
    const args = ["/p/my server.js", "--name=it's"];
    const failure: StartFacts["failure"] = {
      type: "exited",
      exit: { code: 1, signal: null, elapsedMillis: 12.4 },
    };
    expect(diagnoseStart({ ...base, command, args, script: "/p/my server.js", failure })).toEqual({
      code: "exited_before_answer",
      message: "/p/my server.js ended with exit code 1 after 12 ms, before it answered.",
      next: "Run it by hand to see more: /usr/bin/node '/p/my server.js' '--name=it'\\''s'",
    });
    // What the system refuses is the interpreter.
    expect(diagnoseStart({ ...base, command, args, script: "/p/my server.js" })).toMatchObject({
      message: "The system refused to start /usr/bin/node (EACCES).",
    });
  });

  test("[case L-09] all causes have texts of their own", async () => {
    const noExit: StartFacts["failure"] = { type: "exited", exit: { code: 1, signal: null, elapsedMillis: 12.4 } };
    const texts = [
      diagnoseStart(base).message,
      diagnoseStart({ ...base, failure: noExit }).message,
      diagnoseStart({ ...base, command: { ...healthy, executable: false } }).message,
      diagnoseStart({ ...base, command: { ...healthy, kind: { type: "text" } } }).message,
      diagnoseStart({ ...base, command: { ...healthy, kind: { type: "missing" } } }).message,
    ];
    expect(texts).toEqual([
      "The system refused to start /p/tool (EACCES).",
      "/p/tool ended with exit code 1 after 12 ms, before it answered.",
      "The command /p/tool is not executable (EACCES).",
      "The command /p/tool is a text file whose first line names no interpreter.",
      "The command /p/tool does not exist (EACCES).",
    ]);
  });
});
