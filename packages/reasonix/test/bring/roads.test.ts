import { describe, expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

const POINTS = ["tool.before", "permission.decision", "tool.after"] as const;

/** A guard at the tool points, a plugin with a tool and a prompt, one with an action. */
async function guarded(): Promise<Home> {
  const home = await openHome();
  await home.plugin("guard", "tools.mjs", { intercepts: POINTS });
  const tool = {
    name: "word_count",
    description: "Counts words.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    readOnly: true,
  };
  await home.plugin(
    "words",
    "tools.mjs",
    { capabilities: ["tools"], tools: [tool] },
    { list: 'TOOL list_dir {"path":"."}\n', count: 'TOOL ext__words__word_count {"text":"$1 b"}\n' },
  );
  await home.plugin("paint", "surfaces.mjs", { intercepts: ["input.receive"], capabilities: ["interceptors", "ui"] });
  return home;
}

async function seenBy({ log }: Home): Promise<readonly (readonly [unknown, unknown])[]> {
  return (await log("guard")).flatMap(({ method, params }) => {
    if (method !== "extension/intercept" || typeof params !== "object" || params === null) return [];
    if (!("event" in params) || !("payload" in params)) return [];
    const { event, payload } = params;
    const name = typeof payload === "object" && payload !== null && "name" in payload ? payload.name : null;
    return [[event, name] as const];
  });
}

describe("every road to a tool, by the real command", () => {
  it.each([
    ["a built-in tool", ["run", 'TOOL list_dir {"path":"."}'], "list_dir"],
    ["a tool of an extension", ["run", 'TOOL ext__words__word_count {"text":"a b"}'], "ext__words__word_count"],
    ["a slash command that becomes a turn", ["run", "/words:list"], "list_dir"],
    ["a slash command that calls a tool of an extension", ["run", "/words:count a"], "ext__words__word_count"],
    ["-p", ["-p", 'TOOL list_dir {"path":"."}'], "list_dir"],
  ])("[I1] [case I-09] %s passes the gate", async (_name, argv, tool) => {
    const home = await guarded();
    const { code } = await home.reasonix(argv);
    expect(code).toBe(0);
    expect(await seenBy(home)).toEqual(POINTS.map((point) => [point, tool]));
  });

  it.each([
    ["a tool of an extension", ["run", 'TOOL ext__words__word_count {"text":"blocked"}']],
    ["a slash command that calls one", ["run", "/words:count blocked"]],
  ])("[I6] [case I-09] %s is blocked there, and not called", async (_name, argv) => {
    const home = await guarded();
    const { stdout } = await home.reasonix(argv);
    expect(stdout).toContain("ext__words__word_count: Blocked by guard: not this one");
    expect((await home.log("words")).some(({ method }) => method === "extension/tool/call")).toBe(false);
  });

  it("[U5] [case I-09] a slash action is no road to a tool: its extension alone hears of it", async () => {
    const home = await guarded();
    const { code, stdout } = await home.reasonix(["run", '/paint:greet TOOL list_dir {"path":"."}']);
    expect(code).toBe(0);
    expect(stdout).toContain("hello");
    expect(await seenBy(home)).toEqual([]);
    const heard = (await home.log("words")).flatMap(({ method }) => (method === undefined ? [] : [method]));
    expect(heard).toEqual(["extension/initialize", "extension/initialized", "extension/shutdown"]);
  });
});
