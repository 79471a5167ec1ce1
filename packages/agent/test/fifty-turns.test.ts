import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createModels, decodeProviders, systemClock, type Models } from "../src/index.ts";
import { startScriptedServer, type Reply, type ScriptedServer, type Step } from "./scripted-server/index.ts";
import { bench, temporaryFolder, type Bench } from "./support.ts";

let server: ScriptedServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

let calls = 0;

function call(name: string, args: object): Step {
  return { kind: "call", id: `c${++calls}`, name, arguments: JSON.stringify(args) };
}

/** An answer as a real server sends it: comments in between, characters and JSON cut anywhere. */
function stream(steps: readonly Step[], more: Partial<Extract<Reply, { kind: "stream" }>> = {}): Reply {
  return { kind: "stream", steps: [{ kind: "comment", text: "keep-alive" }, ...steps], splitBytes: 23, ...more };
}

const text = (content: string): Step => ({ kind: "text", text: content });

function modelsAt(url: string): Models {
  const { providers, problems } = decodeProviders([
    { name: "local", kind: "openai", base_url: `${url}/v1`, models: ["m"], context_window: 100_000 },
  ]);
  expect(problems).toEqual([]);
  return createModels({ providers, apiKey: () => undefined, clock: systemClock });
}

const TEST_FILE = `import { sum } from "./sum.mjs";\nif (sum(2, 3) !== 5) { console.log("FAIL: sum(2, 3) is " + sum(2, 3)); process.exit(1); }\nconsole.log("ok");\n`;

/** What the model answers in one turn; every turn adds its line to log.md. */
function script(turn: number): readonly Reply[] {
  const line = { path: "log.md", old_string: "<end>", new_string: `turn ${turn} — ✓\n<end>` };
  const done = stream([{ kind: "reasoning", text: "fertig…" }, text(`Turn ${turn} is done — ✓.`)]);
  switch (turn) {
    case 1:
      return [
        stream([
          call("write_file", { path: "sum.mjs", content: "export const sum = (a, b) => a - b;\n" }),
          call("write_file", { path: "sum.test.mjs", content: TEST_FILE }),
          call("write_file", { path: "log.md", content: "turn 1 — ✓\n<end>\n" }),
        ]),
        stream([call("bash", { command: "node sum.test.mjs" })]),
        stream([call("edit_file", { path: "sum.mjs", old_string: "a - b", new_string: "a + b" })]),
        stream([call("bash", { command: "node sum.test.mjs" })]),
        done,
      ];
    case 12:
      return [
        { kind: "status", status: 429, headers: { "retry-after": "0" }, body: "{}" },
        stream([call("edit_file", line)]),
        done,
      ];
    case 20:
      // The answer breaks off after its first words: the turn fails and the next one catches up.
      return [stream([text("Half of an ans"), { kind: "error", type: "overloaded_error", message: "too busy" }])];
    case 21:
      return [
        stream([
          call("multi_edit", {
            path: "log.md",
            edits: [
              { old_string: "<end>", new_string: "turn 20 — ✓\n<end>" },
              { old_string: "<end>", new_string: "turn 21 — ✓\n<end>" },
            ],
          }),
        ]),
        done,
      ];
    case 30:
      return [
        stream([call("edit_file", line)]),
        stream([text("Turn 30 is done — ✓.")], { usage: { prompt: 90_000, completion: 9 } }),
      ];
    case 31:
      return [stream([text("SUMMARY: thirty turns are in log.md.")]), stream([call("edit_file", line)]), done];
    default:
      if (turn % 5 !== 0) return [stream([call("edit_file", line)]), done];
      return [
        stream([
          call("read_file", { path: "log.md" }),
          call("grep", { pattern: "turn", path: "log.md" }),
          call("glob", { pattern: "*.mjs" }),
          call("edit_file", line),
        ]),
        done,
      ];
  }
}

async function filesOf({ workspace }: Bench): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of (await readdir(workspace)).sort())
    files[name] = await readFile(path.join(workspace, name), "utf8");
  return files;
}

function logUpTo(turn: number, more = ""): string {
  const lines = Array.from({ length: turn }, (_, index) => `turn ${index + 1} — ✓\n`);
  return `${lines.join("")}${more}<end>\n`;
}

describe("a session of fifty turns", () => {
  it("[I1] [case I-12] edits, tests, folds, is resumed and forked, and every file is as it should be", async () => {
    const running = await startScriptedServer();
    server = running;
    const folder = await temporaryFolder();
    const models = modelsAt(running.url);
    let one = await bench({ models, folder, model: "local/m" });
    let bodies: string[] = [];
    const forks: Bench[] = [];
    for (let turn = 1; turn <= 50; turn++) {
      if (turn === 26) {
        await one.session.close();
        one = await bench({ models, folder, model: "local/m", choice: { kind: "resume", id: one.session.id } });
      }
      if (turn === 41) {
        const fork = await bench({ models, folder, model: "local/m", choice: { kind: "fork", id: one.session.id } });
        running.push(
          stream([call("write_file", { path: "fork.md", content: "from the fork\n" })]),
          stream([text("forked")]),
        );
        expect(await fork.session.turn("go another way")).toMatchObject({ outcome: "done", text: "forked" });
        forks.push(fork);
      }
      const before = running.requests.length;
      running.push(...script(turn));
      const result = await one.session.turn(`Do the work of turn ${turn}.`);
      expect([turn, result.outcome]).toEqual([turn, turn === 20 ? "failed" : "done"]);
      if (turn !== 20) expect(result.text).toBe(`Turn ${turn} is done — ✓.`);
      bodies = [...bodies, ...running.requests.slice(before).map((request) => request.body.toString("utf8"))];
    }

    expect(await filesOf(one)).toEqual({
      "fork.md": "from the fork\n",
      "log.md": logUpTo(50),
      "sum.mjs": "export const sum = (a, b) => a + b;\n",
      "sum.test.mjs": TEST_FILE,
    });
    const tests = one.session.entries.flatMap((entry) =>
      entry.kind === "message" && entry.message.role === "tool" && entry.message.name === "bash"
        ? [entry.message.content]
        : [],
    );
    expect(tests).toEqual(["FAIL: sum(2, 3) is -1\n[exit code 1]", "ok"]);
    expect(forks[0]?.session.entries.at(-1)).toMatchObject({ message: { content: "forked" } });

    // Each request begins with the bytes of the one before. Only the compaction breaks that: its own request leaves out
    // what is kept, and the next one has the summary in place of what was folded.
    const breaks = bodies.flatMap((body, index) => {
      const previous = bodies[index - 1];
      return previous === undefined || body.startsWith(conversationBytes(previous)) ? [] : [index];
    });
    expect(breaks).toHaveLength(2);
    expect(bodies[breaks[0] ?? 0]).toContain("The conversation gets too long.");
    expect(bodies[breaks[1] ?? 0]).toContain("SUMMARY: thirty turns");
    expect(breaks[1]).toBe((breaks[0] ?? 0) + 1);
    expect(bodies.at(-1)).toContain("SUMMARY: thirty turns");
    expect(bodies.at(-1)).toContain("Do the work of turn 1.");
  });
});

/** The body up to the end of its last message. */
function conversationBytes(body: string): string {
  const parsed: { readonly messages: readonly unknown[] } = JSON.parse(body);
  const last = JSON.stringify(parsed.messages.at(-1));
  return body.slice(0, body.lastIndexOf(last) + last.length);
}
