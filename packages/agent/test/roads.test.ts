import { describe, expect, it } from "vitest";
import type { Person } from "../src/index.ts";
import {
  bench,
  blocked,
  calls,
  NOBODY,
  replaced,
  says,
  scriptedModel,
  tableExtensions,
  type Bench,
  type BenchOptions,
} from "./support.ts";

/** A person who says yes once to everything. */
const YES: Person = { ...NOBODY, present: true, askPermission: async () => "once" };

interface Road {
  readonly name: string;
  readonly options: () => BenchOptions;
  /** Who the payload's scope says has called. */
  readonly agent: string;
  readonly tool: string;
}

const MARK = { command: "echo MARK" };
const ASKING: BenchOptions["settings"] = {
  permissions: {
    mode: "danger-full-access",
    approvals: "ask",
    rules: { allow: [], ask: [], deny: [] },
    addedDirs: [],
    protectedPaths: [],
    network: false,
  },
};

/** THE table of roads to a tool: a new road adds its row. */
const ROADS: readonly Road[] = [
  {
    name: "the main agent",
    options: () => ({ models: scriptedModel([calls(["bash", MARK]), says("done")]) }),
    agent: "main",
    tool: "bash",
  },
  {
    name: "a sub-agent",
    options: () => ({
      models: scriptedModel([
        calls(["task", { description: "d", prompt: "p" }]),
        calls(["bash", MARK]),
        says("sub done"),
        says("done"),
      ]),
    }),
    agent: "task",
    tool: "bash",
  },
  {
    name: "a parallel batch",
    options: () => ({
      models: scriptedModel([
        calls(["list_dir", {}], ["grep", { pattern: "MARK" }], ["list_dir", { path: "." }]),
        says("done"),
      ]),
    }),
    agent: "main",
    tool: "grep",
  },
  {
    name: "a headless run",
    options: () => ({ models: scriptedModel([calls(["bash", MARK]), says("done")]), person: NOBODY }),
    agent: "main",
    tool: "bash",
  },
  {
    name: "a run that goes on after an approval",
    options: () => ({ models: scriptedModel([calls(["bash", MARK]), says("done")]), person: YES, settings: ASKING }),
    agent: "main",
    tool: "bash",
  },
  {
    name: "a tool of an extension",
    options: () => ({
      models: scriptedModel([calls(["ext__words__count", { text: "MARK" }]), says("done")]),
      settings: ASKING,
      person: YES,
    }),
    agent: "main",
    tool: "ext__words__count",
  },
  {
    name: "a tool of the app, such as one of an MCP server",
    options: () => ({
      models: scriptedModel([calls(["mcp__notes__add", { text: "MARK" }]), says("done")]),
      settings: ASKING,
      person: YES,
      ports: {
        extraTools: [
          {
            name: "mcp__notes__add",
            description: "",
            parameters: { type: "object" },
            readOnly: false,
            prepare: () => ({
              ok: true,
              call: { subject: { kind: "foreign" }, run: async () => ({ text: "added", isError: false }) },
            }),
          },
        ],
      },
    }),
    agent: "main",
    tool: "mcp__notes__add",
  },
];

const EXTENSION_TOOL = {
  plugin: "words",
  name: "count",
  description: "Counts words.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  readOnly: false,
  replacesBuiltIn: false,
} as const;

async function drive(road: Road, extensions: ReturnType<typeof tableExtensions>): Promise<Bench> {
  const made = await bench({ ...road.options(), extensions });
  const result = await made.session.turn("go");
  expect(result).toMatchObject({ outcome: "done", text: "done" });
  return made;
}

describe("every road to a tool", () => {
  it.each(ROADS)("[I1] [case I-09] $name passes tool.before, permission.decision and tool.after", async (road) => {
    const extensions = tableExtensions(
      {},
      {
        wants: ["tool.before", "permission.decision", "tool.after"],
        tools: [EXTENSION_TOOL],
        callTool: async () => ({ content: "1", isError: false }),
      },
    );
    await drive(road, extensions);
    const marked = extensions.asked.filter(({ payload }) => JSON.stringify(payload).includes("MARK"));
    expect(marked.map(({ point }) => point)).toEqual(["tool.before", "permission.decision", "tool.after"]);
    const ids = new Set(marked.map(({ scope }) => scope.callId));
    expect(ids.size).toBe(1);
    for (const { scope } of marked) expect(scope.agent).toBe(road.agent);
    for (const { payload } of marked) expect(payload).toMatchObject({ name: road.tool });
  });

  it.each(ROADS)("[I6] [case I-09] $name is blocked with the same reason", async (road) => {
    const extensions = tableExtensions(
      {
        "tool.before": (payload) =>
          payload.arguments.includes("MARK") ? blocked("MARK is not wanted") : replaced<"tool.before">(payload),
      },
      { tools: [EXTENSION_TOOL], callTool: async () => ({ content: "1", isError: false }) },
    );
    const { of } = await drive(road, extensions);
    const results = of("tool_result").filter((event) => event.name === road.tool);
    expect(results.map((event) => [event.text, event.isError])).toEqual([
      ["Blocked by guard: MARK is not wanted", true],
    ]);
    expect(of("tool_started").filter((event) => event.name === road.tool)).toEqual([]);
  });

  it.each(ROADS)("[I8] [case I-09] $name is denied at permission.decision", async (road) => {
    const extensions = tableExtensions(
      {
        "permission.decision": (payload) => ({
          kind: "proceed",
          payload,
          changedBy: [],
          ...(payload.arguments.includes("MARK")
            ? { permission: { decision: "deny", plugin: "guard", reason: "never MARK", overruled: false } }
            : {}),
        }),
      },
      { tools: [EXTENSION_TOOL], callTool: async () => ({ content: "1", isError: false }) },
    );
    const { of } = await drive(road, extensions);
    const results = of("tool_result").filter((event) => event.name === road.tool);
    expect(results.map((event) => [event.text, event.isError])).toEqual([["Denied by guard: never MARK", true]]);
  });
});
