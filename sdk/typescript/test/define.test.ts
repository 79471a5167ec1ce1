/** What `defineExtension` refuses, and what an extension declares to a host. */
import { expect, test } from "vitest";
import { allow, block, defineExtension, deny, next, replace, type Extension } from "../src/index.ts";
import { declare, qualify } from "../src/declaration.ts";

const BASE = { name: "acme", version: "0.1.0" };

/** Extensions in plain JavaScript have no compiler to warn them. */
function untyped(members: object): () => Extension {
  return () => defineExtension({ ...BASE, ...members });
}

test("[G1] an unknown point, a slot without a word and a handler that is none are named together", () => {
  const faulty = untyped({
    name: "",
    stateSchemaVersion: -1,
    intercept: { "input.recieve": next },
    observe: { "tool.after": "no function" },
    replace: { speculation: {}, compaction: { "input.receive": next } },
  });
  expect(faulty).toThrow(TypeError);
  expect(faulty).toThrow(
    /^defineExtension: name is empty.*; stateSchemaVersion is -1.*; intercept\["input.recieve"\] is no hook point.*; observe\["tool.after"\] is no function; replace\["speculation"\] is no slot; replace\["compaction"\]\["input.receive"\]: the slot compaction has no word at that point$/,
  );
});

test("[G1] what is no extension at all, and members of the wrong kind, are named", () => {
  // @ts-expect-error plain JavaScript may leave it out
  expect(() => defineExtension()).toThrow("defineExtension: undefined came, wanted an extension: { name, version,");
  expect(untyped({ version: undefined, tools: { echo: { run: 1 } }, onStart: "later" })).toThrow(
    'version is empty, wanted something like 0.1.0; tools["echo"] is no function; its schema belongs into runtime.tools of the manifest; onStart is no function',
  );
});

test("[I12] an interceptor and a slot's owner at one point are refused, for their calls look the same", () => {
  expect(
    untyped({ intercept: { "context.prepare": next }, replace: { context: { "context.prepare": next } } }),
  ).toThrow('replace["context"]["context.prepare"] and intercept["context.prepare"] claim the same calls');
  expect(
    untyped({ intercept: { "tool.before": next }, replace: { "tool:bash": { "tool.before": next } } }),
  ).not.toThrow();
});

test("[I8] the compiler lets allow and deny through at permission.decision alone", () => {
  defineExtension({
    ...BASE,
    intercept: {
      "permission.decision": ({ readOnly }) => (readOnly === true ? allow("reads only") : deny()),
      // @ts-expect-error allow has no meaning here
      "tool.before": () => allow(),
      // @ts-expect-error deny has no meaning here
      "input.receive": () => deny("no"),
    },
  });
});

test("[I7] the compiler wants whole payloads of the right point, and replace only where it has an effect", () => {
  defineExtension({
    ...BASE,
    intercept: {
      "input.receive": (payload) => replace({ ...payload, text: payload.text.trim() }),
      // @ts-expect-error the text is missing
      "compaction.complete": () => replace({}),
      // @ts-expect-error text is a string
      "tool.after": (payload) => replace({ ...payload, result: 42 }),
      // @ts-expect-error nothing of a session's start can be replaced
      "session.start": (payload) => replace(payload),
      // @ts-expect-error a handler must answer
      "agent.before_start": () => {},
      "context.prepare": async () => block("not now"),
    },
  });
});

test("[I10] the compiler knows the points of each slot", () => {
  defineExtension({
    ...BASE,
    replace: {
      system_prompt: { "system_prompt.build": (payload) => replace({ ...payload, prompt: "short" }) },
      compaction: { "compaction.prepare": next, "compaction.complete": next },
      session_policy: { "session.save": next },
      permission: { "permission.decision": () => deny() },
      "tool:bash": { "tool.before": ({ name }) => block(name), "tool.after": next },
      "provider:plugin/acme/chat/large": { "provider.request": ({ request }) => block(`${request.maxTokens}`) },
    },
  });
  expect(() =>
    defineExtension({
      ...BASE,
      // @ts-expect-error the slot context has no word at input.receive
      replace: { context: { "input.receive": next } },
    }),
  ).toThrow("the slot context has no word at that point");
});

test("[L3] the declaration is read off the handlers", () => {
  const extension = defineExtension({
    ...BASE,
    stateSchemaVersion: 3,
    intercept: { "tool.before": next, "input.receive": next },
    observe: { "tool.after": () => {}, "input.receive": () => {} },
    replace: { compaction: { "compaction.prepare": next } },
    tools: { word_count: () => "3" },
    ui: { actions: { refresh: { label: "Refresh", run: () => {} }, quiet: { run: () => {} } } },
  });
  const descriptor = { ref: "plugin/acme/chat/large" };
  expect(declare(extension, [descriptor], { tools: ["word_count"] })).toEqual({
    result: {
      name: "acme",
      version: "0.1.0",
      protocolVersion: "2",
      stateSchemaVersion: 3,
      subscriptions: ["tool.before", "input.receive", "tool.after"],
      replaces: ["compaction"],
      providers: [descriptor],
      uiActions: [{ actionId: "refresh", label: "Refresh" }, { actionId: "quiet" }],
      tools: ["word_count"],
    },
    warnings: [],
  });
});

test("[L3] [case L-08] an extension with nothing declares nothing but what is required", () => {
  expect(declare(BASE, [], {}).result).toEqual({ ...BASE, protocolVersion: "2", stateSchemaVersion: 0 });
});

test("[L3] [case L-06] what the manifest forgot is declared all the same, so that the host can name it", () => {
  const extension = defineExtension({ ...BASE, intercept: { "permission.decision": next } });
  expect(declare(extension, [], {}).result.subscriptions).toEqual(["permission.decision"]);
});

test("[E2] [case Z-01] tools are left out, and it is said, where a host expects none: an older one refuses the field", () => {
  const extension = defineExtension({ ...BASE, tools: { word_count: () => "3" } });
  const { result, warnings } = declare(extension, [], {});
  expect(result).not.toHaveProperty("tools");
  expect(warnings).toEqual([
    'the tools word_count are not offered: the host expects none; list them in runtime.tools of the manifest and "tools" in runtime.capabilities, or use a newer host',
  ]);
  expect(declare(extension, [], { capabilities: ["tools"] }).result.tools).toEqual(["word_count"]);
});

test("[L3] what the manifest and the code do not both say is told with the manifest's key", () => {
  const extension = defineExtension({
    ...BASE,
    intercept: { "tool.before": next },
    replace: { compaction: { "compaction.prepare": next } },
    tools: { bash: () => "3", word_count: () => "3" },
  });
  const manifest = {
    intercepts: ["tool.before", "compaction.prepare", "tool.after", "input.receive"],
    replaces: ["compaction", "tool:bash", "provider:chat/large", "context"],
    tools: ["bash", "line_count"],
  };
  expect(declare(extension, [{ ref: "plugin/acme/chat/large" }], manifest).warnings).toEqual([
    "the tools word_count have handlers but are not in runtime.tools of the manifest: list them there",
    "the points tool.after, input.receive stand in runtime.intercepts of the manifest and have no handler here",
    "the slots context stand in runtime.replaces of the manifest and have no handler here",
    "the tools line_count stand in runtime.tools of the manifest and have no handler here",
  ]);
});

test("[P2] a short reference is put below the plugin's own name", () => {
  expect(qualify({ ref: "chat/large" }, "acme")).toEqual({ ref: "plugin/acme/chat/large" });
  expect(qualify({ ref: "plugin/other/chat" }, "acme")).toEqual({ ref: "plugin/other/chat" });
});
