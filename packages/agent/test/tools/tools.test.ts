import { createServer, type Server } from "node:http";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { processIsAlive } from "@reasonix-ts/process";
import { afterEach, describe, expect, it } from "vitest";
import type { Person } from "../../src/index.ts";
import { bench, calls, NOBODY, says, scriptedModel, type BenchOptions } from "../support.ts";

interface Outcome {
  readonly text: string;
  readonly isError: boolean;
  readonly detail?: string;
}

/** Runs calls one after another in a workspace that `prepare` fills, and tells their results. */
async function run(
  wanted: readonly (readonly [name: string, args: object])[],
  prepare: (workspace: string) => Promise<void> = async () => {},
  options: BenchOptions = {},
): Promise<readonly Outcome[]> {
  const { session, workspace, of } = await bench({
    models: scriptedModel([...wanted.map((one) => calls(one)), says("done")]),
    ...options,
  });
  await prepare(workspace);
  await session.turn("go");
  return of("tool_result").map(({ text, isError, detail }) => ({
    text: text.replaceAll(workspace, "<workspace>"),
    isError,
    ...(detail === undefined ? {} : { detail }),
  }));
}

const texts = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map((outcome) => outcome.text);

const FULL: BenchOptions["settings"] = {
  permissions: {
    mode: "danger-full-access",
    approvals: "auto",
    rules: { allow: [], ask: [], deny: [] },
    addedDirs: [],
    protectedPaths: [],
    network: false,
  },
};

describe("read_file", () => {
  it("numbers lines, and reads a range", async () => {
    const results = await run(
      [
        ["read_file", { path: "a.txt" }],
        ["read_file", { path: "a.txt", offset: 2, limit: 1 }],
        ["read_file", { path: "a.txt", offset: 9 }],
        ["read_file", { path: "empty" }],
      ],
      async (workspace) => {
        await writeFile(path.join(workspace, "a.txt"), "one\ntwo\nthree\n");
        await writeFile(path.join(workspace, "empty"), "");
      },
    );
    expect(texts(results)).toEqual([
      "1\tone\n2\ttwo\n3\tthree",
      "2\ttwo\n(lines 2 to 2 of 3; read on with offset 3)",
      "(a.txt has 3 lines; there is no line 9)",
      "(empty is empty)",
    ]);
  });

  it("says what is in the way: nothing there, a directory, a binary, too large", async () => {
    const results = await run(
      [
        ["read_file", { path: "none.txt" }],
        ["read_file", { path: "dir" }],
        ["read_file", { path: "bin" }],
        ["read_file", { path: "big" }],
      ],
      async (workspace) => {
        await mkdir(path.join(workspace, "dir"));
        await writeFile(path.join(workspace, "bin"), Buffer.from([1, 0, 2]));
        await writeFile(path.join(workspace, "big"), Buffer.alloc(17 * 1_048_576, 0x61));
      },
    );
    expect(results.every((result) => result.isError)).toBe(true);
    expect(texts(results)).toEqual([
      "Cannot read none.txt: no such file or directory.",
      "Cannot read dir: it is a directory; use list_dir.",
      "bin is a binary file of 3 bytes; use view_image for a picture.",
      "big has 17 MiB, more than the 16 MiB that read_file reads. Use grep to find the part you need, or bash with sed -n.",
    ]);
  });
});

describe("write_file, edit_file and multi_edit", () => {
  it("change files whole, keep their mode and line ends, and show the difference", async () => {
    let workspace = "";
    const results = await run(
      [
        ["write_file", { path: "new/deep.txt", content: "hi\n" }],
        ["edit_file", { path: "run.sh", old_string: "one\ntwo", new_string: "1\n2" }],
        [
          "multi_edit",
          {
            path: "run.sh",
            edits: [
              { old_string: "1", new_string: "first" },
              { old_string: "first", new_string: "FIRST" },
            ],
          },
        ],
        ["write_file", { path: "new/deep.txt", content: "hi\n" }],
        ["edit_file", { path: "link.txt", old_string: "hi", new_string: "ho" }],
      ],
      async (folder) => {
        workspace = folder;
        await writeFile(path.join(folder, "run.sh"), "one\r\ntwo\r\nthree\r\n");
        await chmod(path.join(folder, "run.sh"), 0o755);
        await symlink("new/deep.txt", path.join(folder, "link.txt"));
      },
    );
    expect(texts(results)).toEqual([
      "Created new/deep.txt.",
      "Edited run.sh.",
      "Edited run.sh (2 replacements).",
      "new/deep.txt is as wanted already; nothing was written.",
      "Edited link.txt.",
    ]);
    expect(await readFile(path.join(workspace, "run.sh"), "utf8")).toBe("FIRST\r\n2\r\nthree\r\n");
    expect((await stat(path.join(workspace, "run.sh"))).mode & 0o777).toBe(0o755);
    expect(await readFile(path.join(workspace, "new/deep.txt"), "utf8")).toBe("ho\n");
    expect(results[0]?.detail).toBe("--- new/deep.txt\n+++ new/deep.txt\n@@ -0,0 +1,1 @@\n+hi\n");
  });

  it("leave a file as it was where one edit does not fit, and show the nearest place", async () => {
    let workspace = "";
    const results = await run(
      [
        ["edit_file", { path: "a.ts", old_string: "function add(a, b) {\n    return a + b;", new_string: "x" }],
        ["edit_file", { path: "a.ts", old_string: "return", new_string: "x" }],
        ["edit_file", { path: "a.ts", old_string: "nothing like it anywhere", new_string: "x" }],
        [
          "multi_edit",
          {
            path: "a.ts",
            edits: [
              { old_string: "add", new_string: "plus" },
              { old_string: "absent", new_string: "x" },
            ],
          },
        ],
        ["edit_file", { path: "none.ts", old_string: "a", new_string: "b" }],
        ["edit_file", { path: "a.ts", old_string: "a", new_string: "a" }],
      ],
      async (folder) => {
        workspace = folder;
        await writeFile(path.join(folder, "a.ts"), "function add(a, b) {\n  return a + b;\n}\nreturn;\n");
      },
    );
    expect(texts(results)).toEqual([
      "Cannot edit a.ts: old_string was not found. The nearest match is at line 1 (it differs in white space only):\n" +
        "function add(a, b) {\n  return a + b;",
      "Cannot edit a.ts: old_string occurs more than once: at lines 2, 4. " +
        "Take in more of the lines around the place you mean, so that it is unique.",
      "Cannot edit a.ts: old_string was not found. Nothing in the file comes near; read the file again.",
      "Cannot edit a.ts: Edit 2 of 2: old_string was not found. Nothing in the file comes near; read the file again.",
      "Cannot edit none.ts: no such file; use write_file for a new one.",
      "Cannot edit a.ts: old_string and new_string are the same; there is nothing to change.",
    ]);
    expect(await readFile(path.join(workspace, "a.ts"), "utf8")).toContain("function add");
  });

  it("keep their hands off what is no text, and off what is no file", async () => {
    let workspace = "";
    const results = await run(
      [
        ["edit_file", { path: "latin1.txt", old_string: "a", new_string: "b" }],
        ["bash", { command: "mkfifo pipe" }],
        ["read_file", { path: "pipe" }],
        ["edit_file", { path: "pipe", old_string: "a", new_string: "b" }],
        ["view_image", { path: "pipe" }],
        ["write_file", { path: "bom.txt", content: "x" }],
        ["edit_file", { path: "bom2.txt", old_string: "one", new_string: "two" }],
      ],
      async (folder) => {
        workspace = folder;
        await writeFile(path.join(folder, "latin1.txt"), Buffer.from([0x61, 0xe4]));
        await writeFile(path.join(folder, "bom2.txt"), "\uFEFFone");
      },
    );
    expect(texts(results)).toEqual([
      "Cannot edit latin1.txt: it is not UTF-8 text; use bash.",
      "(no output)",
      "pipe is no regular file; it cannot be read whole.",
      "Cannot change pipe: it is no regular file.",
      "pipe is no regular file.",
      "Created bom.txt.",
      "Edited bom2.txt.",
    ]);
    expect(await readFile(path.join(workspace, "bom2.txt"), "utf8")).toBe("\uFEFFtwo");
    expect(await readFile(path.join(workspace, "latin1.txt"))).toEqual(Buffer.from([0x61, 0xe4]));
  });

  it("do not follow a link out of the workspace unasked", async () => {
    const results = await run([["write_file", { path: "out/x.txt", content: "x" }]], (workspace) =>
      symlink("/etc", path.join(workspace, "out")),
    );
    expect(results[0]?.text).toContain("out/x.txt (a link to /etc/x.txt) lies outside the workspace");
  });
});

describe("undo", () => {
  it("takes back one turn at a time, and leaves what somebody changed since", async () => {
    const models = scriptedModel([
      calls(["write_file", { path: "a.txt", content: "1" }]),
      says("done"),
      calls(["write_file", { path: "a.txt", content: "2" }], ["write_file", { path: "b.txt", content: "b" }]),
      says("done"),
    ]);
    const { session, workspace } = await bench({ models });
    const file = (name: string): string => path.join(workspace, name);
    await session.turn("one");
    await session.turn("two");
    await writeFile(file("b.txt"), "by hand");
    expect(await session.undo()).toEqual({ restored: [file("a.txt")], removed: [], skipped: [file("b.txt")] });
    expect(await readFile(file("a.txt"), "utf8")).toBe("1");
    expect(await session.undo()).toEqual({ restored: [], removed: [file("a.txt")], skipped: [] });
    expect(await session.undo()).toBeNull();
    expect(await readFile(file("b.txt"), "utf8")).toBe("by hand");
  });
});

describe("list_dir, glob and grep", () => {
  const fill = async (workspace: string): Promise<void> => {
    await mkdir(path.join(workspace, "src/deep"), { recursive: true });
    await mkdir(path.join(workspace, ".git"));
    await writeFile(path.join(workspace, ".gitignore"), "ignored.ts\n");
    await writeFile(path.join(workspace, ".git/config"), "needle\n");
    await writeFile(path.join(workspace, "ignored.ts"), "needle\n");
    await writeFile(path.join(workspace, "src/a.ts"), "hay\nneedle one\n");
    await writeFile(path.join(workspace, "src/deep/b.ts"), "needle two\nNEEDLE\n");
    await writeFile(path.join(workspace, "src/-e.md"), "needle three\n");
  };

  it("find what is there and leave out what is ignored", async () => {
    const results = await run(
      [
        ["list_dir", {}],
        ["list_dir", { path: "none" }],
        ["glob", { pattern: "**/*.ts" }],
        ["glob", { pattern: "*.go" }],
        ["grep", { pattern: "needle" }],
        ["grep", { pattern: "needle", glob: "*.ts", ignore_case: true, output: "count" }],
        ["grep", { pattern: "needle", output: "files", limit: 1 }],
        ["grep", { pattern: "needle", glob: "src/**/*.ts", output: "files" }],
        ["grep", { pattern: "-e" }],
        ["grep", { pattern: "(" }],
      ],
      fill,
    );
    expect(results[0]?.text).toBe(".git/\n.gitignore\nignored.ts\nsrc/");
    expect(results[1]?.text).toBe("Cannot list none: no such file or directory.");
    expect(results[2]?.text.split("\n").sort()).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(results[3]?.text).toBe("No file matches *.go.");
    expect(results[4]?.text).toBe("src/-e.md:1:needle three\nsrc/a.ts:2:needle one\nsrc/deep/b.ts:1:needle two");
    expect(results[5]?.text).toBe("src/a.ts:1\nsrc/deep/b.ts:2");
    expect(results[6]?.text).toBe("src/-e.md\n(2 more lines; narrow the search)");
    expect(results[7]?.text).toBe("src/a.ts\nsrc/deep/b.ts");
    expect(results[8]?.text).toBe("No match for -e in ..");
    expect(results[9]).toMatchObject({ isError: true });
  });
});

describe("bash", () => {
  it("gives output and errors in their order, and the exit code", async () => {
    const results = await run([
      ["bash", { command: "echo a; echo b >&2; echo c" }],
      ["bash", { command: "echo half; exit 3" }],
      ["bash", { command: "true" }],
      ["bash", { command: "pwd" }],
    ]);
    expect(results).toEqual([
      { text: "a\nb\nc", isError: false },
      { text: "half\n[exit code 3]", isError: true },
      { text: "(no output)", isError: false },
      { text: "<workspace>", isError: false },
    ]);
  });

  it("is ended with its whole tree when its time is over", async () => {
    const { session, workspace, of } = await bench({
      models: scriptedModel([
        calls(["bash", { command: "sleep 600 & echo $! > child.pid; sleep 600", timeout_ms: 700 }]),
        says("done"),
      ]),
      settings: FULL,
    });
    await session.turn("go");
    expect(of("tool_result")[0]).toMatchObject({
      isError: true,
      text: "[ended after 700 ms: raise timeout_ms or use run_in_background]",
    });
    const child = Number(await readFile(path.join(workspace, "child.pid"), "utf8"));
    expect(child).toBeGreaterThan(0);
    expect(processIsAlive(child)).toBe(false);
  });

  it("runs jobs in the background: read, filtered, waited for, ended", async () => {
    const results: string[] = [];
    const id = (): string => /job_\w+/.exec(results[0] ?? "")?.[0] ?? "";
    const made = await bench({
      models: scriptedModel([
        calls(["bash", { command: "echo one; echo two; read x < /dev/null; sleep 600", run_in_background: true }]),
        calls(["bash", { command: "echo quick", run_in_background: true }]),
        () => {
          results.push(...made.of("tool_result").map((event) => event.text));
          return calls(["job_output", { job_id: /job_\w+/.exec(results[1] ?? "")?.[0] ?? "", wait: true }]);
        },
        () => calls(["job_output", { job_id: id(), wait: true, timeout_ms: 300, filter: "tw" }]),
        () => calls(["job_kill", { job_id: id() }]),
        calls(["job_output", { job_id: "job_none" }]),
        says("done"),
      ]),
    });
    await made.session.turn("go");
    const texts1 = made.of("tool_result").map((event) => event.text);
    expect(texts1[0]).toMatch(/^Started as job_[0-9a-f]{6}\. Read its output with job_output, end it with job_kill\.$/);
    expect(texts1[2]).toBe("quick\n[it ended: exit code 0]");
    expect(texts1[3]).toBe("two\n[it still runs]");
    expect(texts1[4]).toMatch(/^job_\w+: it was ended: /);
    expect(texts1[5]).toContain('There is no job "job_none".');
  });
});

describe("todo_write, ask and view_image", () => {
  it("keep the list, and show it", async () => {
    const { session, of } = await bench({
      models: scriptedModel([
        calls([
          "todo_write",
          {
            todos: [
              { content: "read", status: "completed" },
              { content: "write", status: "in_progress" },
            ],
          },
        ]),
        says("done"),
      ]),
    });
    await session.turn("go");
    expect(of("tool_result")[0]?.text).toBe("[x] read\n[>] write");
    expect(session.todos).toEqual([
      { content: "read", status: "completed" },
      { content: "write", status: "in_progress" },
    ]);
  });

  it("ask the person, and do not wait where nobody is", async () => {
    const asked: unknown[] = [];
    const person: Person = {
      ...NOBODY,
      present: true,
      ask: async (request) => {
        asked.push(request.questions);
        return { kind: "answered", values: { q1: "blue", q2: ["a", "b"] } };
      },
    };
    const questions = {
      questions: [{ question: "Colour?" }, { question: "Which?", options: ["a", "b", "c"], multiple: true }],
    };
    expect(texts(await run([["ask", questions]], undefined, { person }))).toEqual(["Colour?\nblue\n\nWhich?\na, b"]);
    expect(asked).toEqual([
      [
        { key: "q1", kind: "input", label: "Colour?" },
        { key: "q2", kind: "multiselect", label: "Which?", options: ["a", "b", "c"] },
      ],
    ]);
    expect(await run([["ask", questions]])).toEqual([
      { text: "Nobody is here to answer. Decide yourself, and say what you assumed.", isError: true },
    ]);
  });

  it("give a picture to the model by what it is, not by its name", async () => {
    const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(4)]);
    const models = scriptedModel([
      calls(["view_image", { path: "a.txt" }], ["view_image", { path: "b.png" }]),
      says("done"),
    ]);
    const { session, workspace, of } = await bench({ models });
    await writeFile(path.join(workspace, "a.txt"), png);
    await writeFile(path.join(workspace, "b.png"), "text");
    await session.turn("go");
    expect(models.requests[1]?.messages.at(-2)?.images).toEqual([`data:image/png;base64,${png.toString("base64")}`]);
    expect(of("tool_result").map((event) => event.text)).toEqual([
      "a.txt: image/png, 12 bytes",
      "b.png is no PNG, JPEG, GIF or WebP picture.",
    ]);
  });
});

describe("web_fetch", () => {
  let server: Server | null = null;
  afterEach(async () => {
    const closing = server;
    server = null;
    if (closing !== null) await new Promise((resolve) => closing.close(resolve));
  });

  async function serve(): Promise<string> {
    const made = createServer((request, response) => {
      switch (request.url) {
        case "/page":
          response.setHeader("content-type", "text/html; charset=utf-8");
          response.end("<h1>Title</h1><script>evil()</script><p>Some <b>bold</b> text — ✓</p>");
          return;
        case "/hop":
          response.writeHead(302, { location: "/page" }).end();
          return;
        case "/loop":
          response.writeHead(302, { location: "/loop" }).end();
          return;
        case "/inside":
          response.writeHead(302, { location: "http://localhost:1/admin" }).end();
          return;
        case "/binary":
          response.setHeader("content-type", "application/zip");
          response.end("PK");
          return;
        case "/large":
          response.setHeader("content-type", "text/plain");
          response.end("x".repeat(6 * 1_048_576));
          return;
        default:
          response.writeHead(404, { "content-type": "text/plain" }).end("nothing here");
      }
    });
    await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
    server = made;
    const address = made.address();
    return `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  it("refuses private and loopback addresses, by number, by name and in disguise", async () => {
    const host = await serve();
    const port = host.split(":")[1] ?? "";
    const results = await run(
      [
        ["web_fetch", { url: `http://${host}/page` }],
        ["web_fetch", { url: `http://localhost:${port}/page` }],
        ["web_fetch", { url: `http://2130706433:${port}/page` }],
        ["web_fetch", { url: `http://[::ffff:127.0.0.1]:${port}/page` }],
        ["web_fetch", { url: "http://169.254.169.254/latest/meta-data" }],
        ["web_fetch", { url: "http://10.0.0.1/" }],
        ["web_fetch", { url: "http://[fd00::1]/" }],
        ["web_fetch", { url: "http://0.0.0.0/" }],
        ["web_fetch", { url: "file:///etc/passwd" }],
        ["web_fetch", { url: "http://me:secret@example.com/" }],
        ["web_fetch", { url: "not an address" }],
      ],
      undefined,
      { settings: FULL },
    );
    expect(results.every((result) => result.isError)).toBe(true);
    const reasons = texts(results).map(
      (text) => /loopback|linkLocal|uniqueLocal|private|unspecified|not fetched|no address/.exec(text)?.[0] ?? text,
    );
    expect(reasons).toEqual([
      "loopback",
      "loopback",
      "loopback",
      "loopback",
      "linkLocal",
      "private",
      "uniqueLocal",
      "unspecified",
      "not fetched",
      "not fetched",
      "no address",
    ]);
  });

  it("fetches what the settings name, as Markdown, with redirects judged again", async () => {
    const host = await serve();
    const results = await run(
      [
        ["web_fetch", { url: `http://${host}/page` }],
        ["web_fetch", { url: `http://${host}/hop` }],
        ["web_fetch", { url: `http://${host}/loop` }],
        ["web_fetch", { url: `http://${host}/inside` }],
        ["web_fetch", { url: `http://${host}/binary` }],
        ["web_fetch", { url: `http://${host}/large` }],
        ["web_fetch", { url: `http://${host}/none` }],
      ],
      undefined,
      { settings: { ...FULL, fetchAllow: [host] } },
    );
    expect(texts(results).map((text) => text.replaceAll(host, "<host>"))).toEqual([
      "# Title\n\nSome **bold** text — ✓",
      "# Title\n\nSome **bold** text — ✓",
      "Cannot fetch http://<host>/loop: it redirects more than 5 times.",
      "http://<host>/inside redirects to http://localhost:1/admin. To follow it, call web_fetch with that address.",
      "http://<host>/binary is application/zip, which cannot be read as text.",
      "Cannot fetch http://<host>/large: it is larger than 5 MiB.",
      "http://<host>/none answered with status 404.\nnothing here",
    ]);
  });
});
