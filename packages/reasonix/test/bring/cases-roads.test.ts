/** Every road to a tool leads past one real guard: it blocks each with the same words, and is told who has called. */
import type { SessionSettings } from "@reasonix-ts/agent";
import type { ToolSpec } from "@reasonix-ts/host";
import { describe, expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";
import { calls, says, scripted, SCRIPTED } from "./support/models.ts";
import { stage, type PluginOptions, type StageOptions } from "./support/stage.ts";

const POINTS = ["tool.before", "permission.decision", "tool.after"] as const;
/** Blocks each call whose arguments hold the word `blocked`. */
const GUARD: PluginOptions = { plugin: "guard", fixture: "tools.mjs", intercepts: POINTS };
const REFUSAL = "Blocked by guard: not this one";

const COUNT: ToolSpec = {
  name: "word_count",
  description: "Counts words.",
  inputSchema: { type: "object" },
  readOnly: false,
};
const WORDS: PluginOptions = { plugin: "words", fixture: "tools.mjs", tools: [COUNT] };
const READER: PluginOptions = {
  plugin: "reader",
  fixture: "tools.mjs",
  tools: [{ ...COUNT, name: "read_file", readOnly: true }],
  replaces: ["tool:read_file"],
};

const ASKING: SessionSettings["permissions"] = {
  mode: "workspace-write",
  approvals: "ask",
  rules: { allow: [], ask: [], deny: [] },
  addedDirs: [],
  protectedPaths: [],
  network: false,
};
const YES: NonNullable<StageOptions["frontend"]> = {
  person: { present: true, ask: async () => ({ kind: "cancelled" }), askPermission: async () => "once" },
};

interface Road {
  readonly name: string;
  readonly models: () => StageOptions["models"];
  readonly tool: string;
  readonly agent?: string;
  /** Calls that reach a tool beside the marked one. */
  readonly others?: number;
  readonly more?: Partial<StageOptions>;
}

const MARK = { command: "echo blocked" };

/** THE table of roads in a session: a new one adds its row. */
const ROADS: readonly Road[] = [
  { name: "the main agent", tool: "bash", models: () => scripted([calls("bash", MARK), says("done")]) },
  {
    name: "a sub-agent",
    tool: "bash",
    agent: "task",
    others: 1,
    models: () =>
      scripted([calls("task", { description: "d", prompt: "p" }), calls("bash", MARK, "call_2"), says("done")]),
  },
  {
    name: "a parallel batch",
    tool: "grep",
    others: 2,
    models: () =>
      scripted([
        [
          ...calls("list_dir", {}, "call_1").slice(0, 1),
          ...calls("grep", { pattern: "blocked" }, "call_2").slice(0, 1),
          ...calls("list_dir", { path: "." }, "call_3"),
        ],
        says("done"),
      ]),
  },
  {
    name: "a tool of an extension",
    tool: "ext__words__word_count",
    models: () => scripted([calls("ext__words__word_count", { text: "blocked" }), says("done")]),
  },
  {
    name: "a built-in tool that an extension serves",
    tool: "read_file",
    models: () => scripted([calls("read_file", { path: "blocked" }), says("done")]),
  },
  {
    name: "a turn that went on after an approval",
    tool: "bash",
    others: 1,
    models: () => scripted([calls("bash", { command: "touch made" }), calls("bash", MARK, "call_2"), says("done")]),
    more: { frontend: YES, settings: { permissions: ASKING } },
  },
];

describe("a guard in a session", () => {
  it.each(ROADS)("[I6] [I8] [case I-09] blocks $name", async ({ models, tool, agent = "main", others = 0, more }) => {
    const set = await stage({ model: SCRIPTED, models: models(), plugins: [WORDS, READER, GUARD], ...more });
    expect(await set.session.turn("go")).toMatchObject({ outcome: "done", text: "done" });
    const results = set.of("tool_result").map((event) => [event.name, event.text, event.isError]);
    expect(results.filter(([, text]) => text === REFUSAL)).toEqual([[tool, REFUSAL, true]]);
    const asked = (await set.frames("guard", "extension/intercept")).map(({ params, _meta }) => {
      const marked = JSON.stringify(params["payload"]).includes("blocked");
      return { marked, event: params["event"], meta: _meta };
    });
    expect(asked.filter(({ marked }) => marked)).toEqual([
      {
        marked: true,
        event: "tool.before",
        meta: { callId: expect.stringMatching(/^call_/), agent, sessionId: set.session.id },
      },
    ]);
    expect(asked.filter(({ marked, event }) => !marked && event === "tool.before")).toHaveLength(others);
    for (const served of ["words", "reader"]) expect(await set.frames(served, "extension/tool/call")).toEqual([]);
  });

  it("[I6] [case I-09] blocks in a session that was resumed, and in one that was forked", async () => {
    const models = () => scripted([calls("bash", MARK), says("done")]);
    const one = await stage({ model: SCRIPTED, models: models(), plugins: [GUARD] });
    await one.session.turn("go");
    const { id } = one.session;
    await one.session.close();
    for (const kind of ["fork", "resume"] as const) {
      const set = await stage({
        model: SCRIPTED,
        models: models(),
        plugins: [GUARD],
        folder: one.folder,
        choice: { kind, id },
      });
      await set.session.turn("again");
      expect([kind, ...set.of("tool_result").map(({ text }) => text)]).toEqual([kind, REFUSAL]);
    }
  });
});

const TASK = 'TOOL bash {"command":"touch blocked"}';

/** THE table of roads through the command: a new way to start a turn adds its row. */
const COMMANDS: readonly (readonly [name: string, run: (home: Home) => Promise<string>])[] = [
  ["run", async ({ reasonix }) => (await reasonix(["run", TASK])).stdout],
  ["-p with a piped task", async ({ reasonix }) => (await reasonix(["-p"], TASK)).stdout],
  ["run as JSON", async ({ reasonix }) => (await reasonix(["run", "--output-format", "json", TASK])).stdout],
  [
    "run with full access, unasked",
    async ({ reasonix }) =>
      (await reasonix(["run", "--permission-mode", "danger-full-access", "--approvals", "auto", TASK])).stdout,
  ],
  [
    "run --continue",
    async ({ reasonix }) => {
      await reasonix(["run", "hello"]);
      return (await reasonix(["run", "--continue", TASK])).stdout;
    },
  ],
  ["a conversation", async ({ reasonix }) => (await reasonix(["--approvals", "auto"], `${TASK}\n`)).stdout],
];

describe("a guard behind the command", () => {
  it.each(COMMANDS)("[I6] [case I-09] blocks in %s", async (_name, run) => {
    const home = await openHome();
    await home.plugin("guard", "tools.mjs", { intercepts: POINTS });
    expect(await run(home)).toContain(REFUSAL);
    const asked = (await home.log("guard")).filter(({ method }) => method === "extension/intercept");
    expect(asked.map(({ params }) => params)).toMatchObject([{ event: "tool.before", payload: { name: "bash" } }]);
  });
});
