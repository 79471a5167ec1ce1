import { describe, expect, it } from "vitest";
import type { Person, PermissionAnswer } from "../src/index.ts";
import { bench, blocked, calls, failed, NOBODY, replaced, says, scriptedModel, tableExtensions } from "./support.ts";

const ASK = {
  permissions: {
    mode: "danger-full-access",
    approvals: "ask",
    rules: { allow: [], ask: [], deny: [{ text: "bash(rm:*)", tool: "bash", pattern: "rm:*" }] },
    addedDirs: [],
    protectedPaths: [],
    network: false,
  },
} as const;

function answering(...answers: readonly PermissionAnswer[]): Person & { readonly questions: unknown[] } {
  const questions: unknown[] = [];
  return {
    ...NOBODY,
    present: true,
    questions,
    async askPermission(request) {
      questions.push(request);
      return answers[questions.length - 1] ?? "no";
    },
  };
}

const allowing = (overruled: boolean) =>
  tableExtensions({
    "permission.decision": (payload) => ({
      kind: "proceed",
      payload,
      changedBy: [],
      permission: { decision: "allow", plugin: "trusty", reason: "known to be safe", overruled },
    }),
  });

describe("the tool gate", () => {
  it("asks a person for what no rule decides, and tells the model of a no", async () => {
    const person = answering("no");
    const { session, of } = await bench({
      models: scriptedModel([calls(["bash", { command: "echo hi" }]), says("done")]),
      person,
      settings: ASK,
    });
    await session.turn("go");
    expect(person.questions).toEqual([
      { tool: "bash", summary: "echo hi", why: "it runs a command", rule: "bash(echo:*)" },
    ]);
    expect(of("tool_result")[0]).toMatchObject({ text: "bash was refused by the person.", isError: true });
  });

  it("asks once for a call that was granted for the session", async () => {
    const person = answering("session");
    const { session, of } = await bench({
      models: scriptedModel([
        calls(["bash", { command: "echo a" }]),
        calls(["bash", { command: "echo b && echo c" }]),
        calls(["bash", { command: "ls" }]),
        says("done"),
      ]),
      person,
      settings: ASK,
    });
    await session.turn("go");
    expect(person.questions).toHaveLength(2);
    expect(of("tool_result").map((event) => event.text)).toEqual(["a", "b\nc", "bash was refused by the person."]);
    expect(session.permissions.grants).toEqual(["bash(echo:*)"]);
  });

  it("lets what was granted for good in earlier sessions pass rules that ask, and none that deny", async () => {
    const rule = (text: string, pattern: string) => ({ text, tool: "bash", pattern });
    const { session, of } = await bench({
      models: scriptedModel([calls(["bash", { command: "echo a" }], ["bash", { command: "rm -f x" }]), says("done")]),
      settings: {
        permissions: {
          ...ASK.permissions,
          rules: { ...ASK.permissions.rules, ask: [rule("bash(echo:*)", "echo:*")] },
          granted: [rule("bash(echo:*)", "echo:*"), rule("bash(rm:*)", "rm:*")],
        },
      },
    });
    await session.turn("go");
    expect(of("tool_result").map((event) => [event.text, event.isError])).toEqual([
      ["a", false],
      ["bash was refused: the permission rule bash(rm:*) says deny.", true],
    ]);
  });

  it("keeps rules that were granted for good", async () => {
    const kept: (readonly string[])[] = [];
    const { session } = await bench({
      models: scriptedModel([calls(["bash", { command: "git status" }]), says("done")]),
      person: answering("always"),
      settings: { permissions: { ...ASK.permissions, keepRules: async (rules) => void kept.push(rules) } },
    });
    await session.turn("go");
    expect(kept).toEqual([["bash(git status:*)"]]);
  });

  it("[I9] [case I-10] runs what an extension allows over a deny, and shows it in events and transcript", async () => {
    const { session, of } = await bench({
      models: scriptedModel([calls(["bash", { command: "rm -f nothing && echo ran" }]), says("done")]),
      extensions: allowing(true),
      settings: ASK,
    });
    await session.turn("go");
    expect(of("tool_result")[0]).toMatchObject({ text: "ran", isError: false });
    const text =
      'trusty allowed bash, overruling "deny by rule bash(rm:*)" (the permission rule bash(rm:*) says deny). ' +
      "Reason: known to be safe";
    expect(of("notice")).toEqual([{ kind: "notice", severity: "warn", text, plugin: "trusty" }]);
    expect(session.entries.filter((entry) => entry.kind === "note")).toEqual([{ kind: "note", text }]);
  });

  it("[case I-10] stays denied where the extensions do not rule", async () => {
    const extensions = tableExtensions({}, { wants: ["permission.decision"] });
    const { session, of } = await bench({
      models: scriptedModel([calls(["bash", { command: "rm -f x" }]), says("done")]),
      extensions,
      settings: ASK,
    });
    await session.turn("go");
    expect(extensions.asked.map(({ payload, scope }) => [payload, scope.verdict])).toEqual([
      [
        { name: "bash", arguments: '{"command":"rm -f x"}', readOnly: false, hostDecision: "deny" },
        "deny by rule bash(rm:*)",
      ],
    ]);
    expect(of("tool_result")[0]?.text).toBe("bash was refused: the permission rule bash(rm:*) says deny.");
  });

  it("[I8] counts a host ask as deny at permission.decision until the person answers", async () => {
    const extensions = tableExtensions({}, { wants: ["permission.decision"] });
    const person = answering("once");
    const { session } = await bench({
      models: scriptedModel([calls(["bash", { command: "echo hi" }]), says("done")]),
      extensions,
      person,
      settings: ASK,
    });
    await session.turn("go");
    expect(extensions.asked[0]).toMatchObject({ payload: { hostDecision: "deny" }, scope: { verdict: "ask" } });
    expect(person.questions).toHaveLength(1);
  });

  it("[I7] runs the arguments that tool.before put in place, and keeps the model's own call", async () => {
    const extensions = tableExtensions({
      "tool.before": ({ name }) => replaced<"tool.before">({ name, arguments: '{"command":"echo changed"}' }),
    });
    const models = scriptedModel([calls(["bash", { command: "echo original" }]), says("done")]);
    const { session, of } = await bench({ models, extensions });
    await session.turn("go");
    expect(of("tool_started")[0]?.arguments).toBe('{"command":"echo changed"}');
    expect(of("tool_result")[0]?.text).toBe("changed");
    expect(models.requests[1]?.messages.at(-2)?.tool_calls?.[0]?.arguments).toBe('{"command":"echo original"}');
  });

  it("[I7] validates changed arguments, and judges a changed name as the new tool", async () => {
    const extensions = tableExtensions({
      "tool.before": ({ name, arguments: args }) =>
        name === "glob"
          ? replaced<"tool.before">({ name: "write_file", arguments: '{"path":"../outside.txt","content":"x"}' })
          : replaced<"tool.before">({ name, arguments: args.replace("command", "comand") }),
    });
    const { session, of } = await bench({
      models: scriptedModel([calls(["bash", { command: "ls" }]), calls(["glob", { pattern: "*" }]), says("done")]),
      extensions,
    });
    await session.turn("go");
    expect(of("tool_result").map((event) => event.text)).toEqual([
      'bash was not run: missing field "command" at /command (wanted a non-empty string); ' +
        'unknown field "comand" at /comand (arguments as changed by tester).',
      "write_file was refused: ../outside.txt lies outside the workspace, and nobody is here to be asked. " +
        "Add a permission rule that allows it, or choose another permission mode.",
    ]);
  });

  it("[I7] stores what tool.after made of a result; [I6] a block makes an error of it", async () => {
    const extensions = tableExtensions({
      "tool.after": (payload) =>
        payload.arguments.includes("secret")
          ? blocked("the output is private")
          : replaced<"tool.after">({ ...payload, result: "[shortened]", isError: false }),
    });
    const models = scriptedModel([
      calls(["bash", { command: "echo long" }], ["bash", { command: "echo secret" }]),
      says("done"),
    ]);
    const { session } = await bench({ models, extensions });
    await session.turn("go");
    expect(models.requests[1]?.messages.slice(-2).map((message) => message.content)).toEqual([
      "[shortened]",
      "Blocked by guard: the output is private",
    ]);
  });

  it("[I13] refuses the call alone where a required extension fails at a tool point", async () => {
    const extensions = tableExtensions({ "tool.before": () => failed("guard (required) timed out at tool.before") });
    const { session, of } = await bench({
      models: scriptedModel([calls(["bash", { command: "ls" }]), says("done")]),
      extensions,
    });
    const result = await session.turn("go");
    expect(result.outcome).toBe("done");
    expect(of("tool_result")[0]).toMatchObject({ isError: true, text: "guard (required) timed out at tool.before" });
  });

  it("refuses unknown tools and broken arguments before anybody is asked", async () => {
    const extensions = tableExtensions({}, { wants: ["tool.before"] });
    const { session, of } = await bench({
      models: scriptedModel([
        [
          { type: "tool_call", toolCall: { id: "1", name: "bsh", arguments: "{}" } },
          { type: "tool_call", toolCall: { id: "2", name: "bash", arguments: '{"command":' } },
          { type: "tool_call", toolCall: { id: "3", name: "bash", arguments: "[1]" } },
        ],
        says("done"),
      ]),
      extensions,
    });
    await session.turn("go");
    const texts = of("tool_result").map((event) => event.text);
    expect(texts[0]).toContain('There is no tool "bsh". Did you mean "bash"?');
    expect(texts[1]).toContain("bash was not run: the arguments are not valid JSON");
    expect(texts[2]).toBe("bash was not run: the arguments are an array of 1, wanted a JSON object.");
    expect(extensions.asked).toEqual([]);
  });

  it("validates the arguments of an extension's tool against its schema [case Z-01]", async () => {
    const seen: unknown[] = [];
    const extensions = tableExtensions(
      {},
      {
        tools: [
          {
            plugin: "websearch",
            name: "word_count",
            description: "Counts words.",
            inputSchema: {
              type: "object",
              properties: { text: { type: "string" } },
              required: ["text"],
              additionalProperties: false,
            },
            readOnly: true,
            replacesBuiltIn: false,
          },
        ],
        callTool: async (plugin, name, args) => {
          seen.push([plugin, name, args]);
          return { content: "3", isError: false };
        },
      },
    );
    const { session, of } = await bench({
      models: scriptedModel([
        calls(["ext__websearch__word_count", { text: "a b c" }], ["ext__websearch__word_count", { txt: 1 }]),
        says("done"),
      ]),
      extensions,
    });
    await session.turn("go");
    expect(seen).toEqual([["websearch", "word_count", { text: "a b c" }]]);
    expect(of("tool_result").map((event) => event.text)).toEqual([
      "3",
      "ext__websearch__word_count was not run: must have required property 'text'; " +
        "must NOT have additional properties (txt).",
    ]);
  });

  it("[I10] lets an extension serve a built-in tool in its place", async () => {
    const extensions = tableExtensions(
      {},
      {
        tools: [
          {
            plugin: "remote",
            name: "bash",
            description: "Runs it far away.",
            inputSchema: { type: "object" },
            readOnly: true,
            replacesBuiltIn: true,
          },
        ],
        callTool: async () => ({ content: "from afar", isError: false }),
      },
    );
    const models = scriptedModel([calls(["bash", { command: "ls" }]), says("done")]);
    const { session, of } = await bench({ models, extensions });
    await session.turn("go");
    expect(of("tool_result")[0]?.text).toBe("from afar");
    const tools = models.requests[0]?.tools ?? [];
    expect(tools.filter((tool) => tool.name === "bash").map((tool) => tool.description)).toEqual(["Runs it far away."]);
  });

  it("cuts a large result for the model and keeps it whole on disk [case C-06]", async () => {
    const whole: number[] = [];
    const extensions = tableExtensions({
      "tool.after": (payload) => {
        whole.push(payload.result?.length ?? 0);
        return { kind: "proceed", payload, changedBy: [] };
      },
    });
    const models = scriptedModel([
      calls(["bash", { command: "head -c 9437184 /dev/zero | tr '\\0' x" }]),
      (request) => {
        const content = request.messages.at(-1)?.content ?? "";
        const file = /are in (\S+)\]/.exec(content)?.[1] ?? "";
        return calls(["read_file", { path: file, limit: 1 }]);
      },
      says("done"),
    ]);
    const { session, of } = await bench({ models, extensions });
    await session.turn("go");
    expect(whole[0]).toBe(9_437_184);
    const content = models.requests[1]?.messages.at(-1)?.content ?? "";
    expect(content.length).toBeLessThan(31_000);
    expect(content).toContain("[9407184 characters left out; all 9 MiB are in ");
    expect(of("tool_result")[1]).toMatchObject({ name: "read_file", isError: false });
  });

  it("judges in call order, runs what only reads in parallel, and shows results in call order", async () => {
    const extensions = tableExtensions({}, { wants: ["tool.before", "permission.decision", "tool.after"] });
    const running: string[] = [];
    let most = 0;
    const slow = (name: string, readOnly: boolean, millis: number) => ({
      name,
      description: "",
      parameters: { type: "object" },
      readOnly,
      prepare: () => ({
        ok: true as const,
        call: {
          subject: { kind: "nothing" as const },
          run: async () => {
            running.push(name);
            most = Math.max(most, running.length);
            await new Promise((resolve) => setTimeout(resolve, millis));
            running.splice(running.indexOf(name), 1);
            return { text: name, isError: false };
          },
        },
      }),
    });
    const { session, of } = await bench({
      models: scriptedModel([calls(["a", {}], ["b", {}], ["w", {}], ["c", {}]), says("done")]),
      extensions,
      ports: { extraTools: [slow("a", true, 30), slow("b", true, 1), slow("w", false, 1), slow("c", true, 1)] },
    });
    await session.turn("go");
    expect(of("tool_result").map((event) => event.text)).toEqual(["a", "b", "w", "c"]);
    expect(most).toBe(2);
    const order = extensions.asked.map(({ point, scope }) => `${point} ${scope.callId?.split("_").at(-1) ?? ""}`);
    expect(order).toEqual([
      "tool.before a",
      "permission.decision a",
      "tool.before b",
      "permission.decision b",
      "tool.after a",
      "tool.after b",
      "tool.before w",
      "permission.decision w",
      "tool.after w",
      "tool.before c",
      "permission.decision c",
      "tool.after c",
    ]);
  });
});
