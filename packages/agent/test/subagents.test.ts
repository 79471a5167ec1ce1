import { describe, expect, it } from "vitest";
import { bench, blocked, calls, says, scriptedModel, tableExtensions } from "./support.ts";

const TASK = { description: "count", prompt: "count the files" };

describe("a sub-agent", () => {
  it("works in a conversation of its own and gives back its last answer", async () => {
    const models = scriptedModel([
      calls(["task", TASK]),
      calls(["bash", { command: "echo 3" }]),
      says("three files"),
      says("there are three"),
    ]);
    const { session, of } = await bench({ models });
    expect(await session.turn("how many?")).toMatchObject({ outcome: "done", text: "there are three", steps: 2 });
    const [main, first, second, last] = models.requests;
    expect(first?.messages.slice(1)).toEqual([{ role: "user", content: "count the files" }]);
    expect(second?.messages).toHaveLength(4);
    expect(first?.messages[0]?.content?.startsWith(main?.messages[0]?.content ?? "?")).toBe(true);
    expect(first?.tools.map((tool) => tool.name)).not.toContain("task");
    expect(last?.messages.at(-1)).toMatchObject({ role: "tool", content: "three files" });
    expect(of("tool_result").map((event) => [event.name, event.agent, event.text])).toEqual([
      ["bash", "task", "3"],
      ["task", undefined, "three files"],
    ]);
    expect(of("turn_done")).toHaveLength(1);
    expect(session.spent.requests).toBe(4);
  });

  it("[I1] passes the points of an agent with its own name", async () => {
    const extensions = tableExtensions(
      {},
      { wants: ["agent.before_start", "context.prepare", "provider.request", "provider.response"] },
    );
    const models = scriptedModel([calls(["task", { ...TASK, agent: "reviewer" }]), says("fine"), says("done")]);
    const agents = [
      { name: "reviewer", description: "Reviews.", instructions: "Be strict.", tools: ["read_file", "grep"] },
    ];
    const { session } = await bench({ models, extensions, ports: { agents } });
    await session.turn("go");
    expect(extensions.asked.filter(({ scope }) => scope.agent === "reviewer").map(({ point }) => point)).toEqual([
      "agent.before_start",
      "context.prepare",
      "provider.request",
      "provider.response",
    ]);
    expect(models.requests[1]?.tools.map((tool) => tool.name)).toEqual(["read_file", "grep"]);
    expect(models.requests[1]?.messages[0]?.content).toContain("Be strict.");
  });

  it("that is blocked, unknown or out of steps is an error result of the call, and the turn goes on", async () => {
    const extensions = tableExtensions({
      "context.prepare": (payload, { agent }) =>
        agent === "task" ? blocked("no helpers") : { kind: "proceed", payload, changedBy: [] },
    });
    const blockedOne = await bench({ models: scriptedModel([calls(["task", TASK]), says("done")]), extensions });
    expect(await blockedOne.session.turn("go")).toMatchObject({ outcome: "done" });
    expect(blockedOne.of("tool_result")[0]).toMatchObject({
      isError: true,
      text: "The sub-agent task ended without an answer after 0 steps: Blocked by guard: no helpers",
    });

    const unknown = await bench({
      models: scriptedModel([calls(["task", { ...TASK, agent: "reviever" }]), says("done")]),
      ports: { agents: [{ name: "reviewer", description: "", instructions: "" }] },
    });
    await unknown.session.turn("go");
    expect(unknown.of("tool_result")[0]?.text).toBe(
      'There is no sub-agent "reviever". Did you mean "reviewer"? Sub-agents: task, reviewer.',
    );
  });

  it("ends with the turn that started it", async () => {
    const stop = new AbortController();
    const models = scriptedModel([
      calls(["task", TASK]),
      () => {
        stop.abort();
        return calls(["bash", { command: "sleep 600" }]);
      },
      says("never"),
    ]);
    const { session, of } = await bench({ models });
    expect(await session.turn("go", { signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    expect(models.requests).toHaveLength(2);
    expect(of("tool_result").map((event) => event.name)).toEqual(["bash", "task"]);
  });
});
