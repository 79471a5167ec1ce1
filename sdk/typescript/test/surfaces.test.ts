/** Surfaces, questions, actions, forms and tools. */
import { createPair } from "@reasonix-ts/rpc";
import { expect, test, vi } from "vitest";
import { attach } from "../src/attach.ts";
import { block, defineExtension, next, type InterceptContext } from "../src/index.ts";
import { testHost, type AskedQuestion } from "../src/testing.ts";

const BASE = { name: "acme", version: "0.1.0" };

test("[U1] [case U-04] each kind of surface, updated in place under its id, in order", async () => {
  const host = await testHost(
    defineExtension({
      ...BASE,
      onStart: async ({ ui }) => {
        // Nobody waits for these answers.
        for (let percent = 0; percent < 50; percent++)
          void ui.status("index", { label: "index", progress: percent / 100, severity: "info" });
        await ui.card("card", { title: "Card", fields: [{ key: "a", value: "b" }] });
        await ui.form("form", { title: "Form", fields: [{ key: "name", kind: "input" }] });
        expect(await ui.notify({ title: "first" })).toBe(true);
        await ui.notify({ title: "second" });
      },
    }),
  );
  expect(host.published.length).toBe(54);
  expect(host.surface("index")).toEqual({
    kind: "status",
    surfaceId: "index",
    payload: { label: "index", progress: 0.49, severity: "info" },
  });
  expect(host.published.slice(50).map(({ kind, surfaceId }) => `${kind} ${surfaceId}`)).toEqual([
    "card card",
    "form form",
    "notification notification-1",
    "notification notification-2",
  ]);
  await host.close();
});

test("[U1] a surface that the host refuses rejects with its reason", async () => {
  const failures: string[] = [];
  const host = await testHost(
    defineExtension({
      ...BASE,
      onStart: async ({ ui }) => {
        await ui.status("s", { label: "" }).catch((error: Error) => failures.push(error.message));
      },
    }),
  );
  expect(failures).toEqual(['status payload: "" at /label, wanted a non-empty string']);
  await host.close();
});

async function askAll({ ui }: InterceptContext): Promise<readonly unknown[]> {
  return [
    await ui.confirm({ title: "Sure?", default: false }),
    await ui.input({ message: "Name?", label: "Name", required: true }),
    await ui.select({ title: "Which?", options: ["a", "b"] }),
    await ui.multiselect({ options: ["a", "b"] }, { surfaceId: "mine" }),
    await ui.ask("input", {
      title: "Two",
      fields: [
        { key: "x", kind: "input" },
        { key: "y", kind: "confirm" },
      ],
    }),
  ];
}

test("[U2] confirm, input, select, multiselect and questions of several fields", async () => {
  const answers = [{ answer: true }, { answer: "Zoë" }, { answer: "b" }, { answer: ["a", "b"] }, { x: "1", y: false }];
  let got: readonly unknown[] = [];
  const host = await testHost(
    defineExtension({
      ...BASE,
      intercept: {
        "input.receive": async (_payload, context) => {
          got = await askAll(context);
          return next();
        },
      },
    }),
    { answer: () => answers.shift() ?? null },
  );
  await host.intercept("input.receive", { text: "x" });
  expect(got).toEqual([true, "Zoë", "b", ["a", "b"], { x: "1", y: false }]);
  const asked: readonly AskedQuestion[] = host.questions;
  expect(asked.slice(0, 4)).toEqual([
    {
      kind: "confirm",
      surfaceId: "question-1",
      payload: { title: "Sure?", fields: [{ key: "answer", kind: "confirm", default: false }] },
    },
    {
      kind: "input",
      surfaceId: "question-2",
      payload: { message: "Name?", fields: [{ key: "answer", kind: "input", label: "Name", required: true }] },
    },
    {
      kind: "select",
      surfaceId: "question-3",
      payload: { title: "Which?", fields: [{ key: "answer", kind: "select", options: ["a", "b"] }] },
    },
    {
      kind: "multiselect",
      surfaceId: "mine",
      payload: { fields: [{ key: "answer", kind: "multiselect", options: ["a", "b"] }] },
    },
  ]);
  await host.close();
});

test("[U2] [case U-06] nobody there is null for every question, never a yes", async () => {
  let got: readonly unknown[] = [];
  const host = await testHost(
    defineExtension({
      ...BASE,
      intercept: {
        "tool.before": async (_payload, context) => {
          expect(context.session.uiHost).toBe("headless");
          got = await askAll(context);
          return (await context.ui.confirm({ title: "Run it?" })) ? next() : block("nobody agreed");
        },
      },
    }),
  );
  expect(await host.intercept("tool.before", { name: "bash", arguments: "{}" })).toEqual({
    decision: "block",
    reason: "nobody agreed",
  });
  expect(got).toEqual([null, null, null, null, null]);
  await host.close();
});

test("[U2] [case U-06] the budget stands still while a person thinks", async () => {
  const host = await testHost(
    defineExtension({
      ...BASE,
      intercept: {
        "tool.before": async (_payload, { ui, signal, remainingMillis }) => {
          const yes = await ui.confirm({ title: "Run it?" });
          const late = signal.aborted || remainingMillis() === 0;
          return block(`${String(yes)} ${late ? "late" : "in time"}`);
        },
      },
    }),
    {
      answer: async () => {
        // Longer than the whole budget of the call.
        await new Promise((resolve) => setTimeout(resolve, 700));
        return { answer: true };
      },
    },
  );
  const outcome = await host.intercept("tool.before", { name: "b", arguments: "{}" }, { timeoutMillis: 600 });
  expect(outcome.reason).toBe("true in time");
  await host.close();
});

test("[U5] actions and forms reach their handlers; unknown ones are refused by name", async () => {
  const seen: unknown[] = [];
  const host = await testHost(
    defineExtension({
      ...BASE,
      ui: {
        actions: {
          refresh: {
            label: "Refresh",
            run: ({ k }, { remainingMillis }) =>
              `refreshed ${k ?? "all"} ${remainingMillis() > 20_000 ? "in time" : "late"}`,
          },
          quiet: { run: () => {} },
          broken: { run: () => Promise.reject(new Error("cannot refresh")) },
        },
        submits: {
          settings: (values) => {
            seen.push(values);
            return values["name"] !== "";
          },
          note: () => {},
        },
      },
    }),
  );
  expect(await host.action("refresh", { k: "v" })).toEqual({ accepted: true, message: "refreshed v in time" });
  expect(await host.action("quiet")).toEqual({ accepted: true });
  await expect(host.action("broken")).rejects.toThrow("cannot refresh");
  await expect(host.action("toString")).rejects.toThrow(
    'no action "toString" here; this extension has refresh, quiet, broken',
  );
  expect(await host.submit("settings", { name: "x" })).toEqual({ accepted: true });
  expect(await host.submit("settings", { name: "" })).toEqual({ accepted: false });
  expect(await host.submit("note", {})).toEqual({ accepted: true });
  await expect(host.submit("other", {})).rejects.toThrow('no form "other" here; this extension has settings, note');
  expect(seen).toEqual([{ name: "x" }, { name: "" }]);
  await host.close();
});

test("[case Z-01] tools answer text, marked errors and thrown errors; unknown names are refused", async () => {
  const host = await testHost(
    defineExtension({
      ...BASE,
      tools: {
        word_count: ({ text }, { name, remainingMillis }) =>
          `${name}: ${String(text).split(" ").length}, ${remainingMillis() > 0 ? "in time" : "late"}`,
        refuse: async () => ({ content: "not today", isError: true }),
        fail: () => {
          throw new Error("password=hunter22 did not work");
        },
      },
    }),
  );
  expect(host.declaration.tools).toEqual(["word_count", "refuse", "fail"]);
  expect(await host.callTool("word_count", { text: "a b c" })).toEqual({
    content: "word_count: 3, in time",
    isError: false,
  });
  expect(await host.callTool("refuse", {})).toEqual({ content: "not today", isError: true });
  expect(await host.callTool("fail", {})).toEqual({ content: "password=[redacted] did not work", isError: true });
  await expect(host.callTool("other", {})).rejects.toThrow(
    'no tool "other" here; this extension serves word_count, refuse, fail',
  );
  await host.close();
});

test("[G1] changed resources and the goodbye reach their handlers", async () => {
  const seen: unknown[] = [];
  const host = await testHost(
    defineExtension({
      ...BASE,
      onResourcesChanged: (paths) => {
        seen.push(paths);
        throw new Error("cannot reread");
      },
      onShutdown: () => {
        seen.push("goodbye");
      },
    }),
  );
  await host.resourcesChanged(["skills/a.md"]);
  await vi.waitFor(() => expect(host.log.join("\n")).toContain("onResourcesChanged failed: cannot reread"));
  await host.close();
  expect(seen).toEqual([["skills/a.md"], "goodbye"]);
});

test("[E2] [case Z-03] any other request of the protocol is typed, its result checked, its refusal told", async () => {
  const outcomes: unknown[] = [];
  const { left: host, right } = createPair();
  attach(
    right,
    defineExtension({
      ...BASE,
      onStart: async ({ callHost }) => {
        const { tabs } = await callHost("host/browser/tab/list", {});
        outcomes.push(tabs.map(({ title }) => title));
        await callHost("host/browser/tab/open", { url: "https://example.test", disposition: "background" }).catch(
          (error: Error) => outcomes.push(error.message),
        );
        await callHost("host/browser/tab/wait", { tabId: "t1", waitUntil: "load" }).catch((error: Error) =>
          outcomes.push(error.message),
        );
      },
    }),
    { pluginName: "acme", log: () => {}, redact: (text) => text },
  );
  const tab = { tabId: "t1", url: "", title: "Start", active: true, generation: 1, future: 1 };
  host.onRequest("host/browser/tab/list", () => ({ tabs: [tab] }));
  host.onRequest("host/browser/tab/wait", () => ({ tab: "t1" }));
  await host.request("extension/initialize", {
    protocolId: "reasonix.extension.v2",
    protocolVersion: "2",
    manifest: {},
    session: { sessionId: "s", workspaceRoot: "/", generation: 1 },
    capabilities: {},
  });
  host.notify("extension/initialized", {});
  await vi.waitFor(() => expect(outcomes.length).toBe(3));
  expect(outcomes).toEqual([
    ["Start"],
    "method not found: host/browser/tab/open",
    'host/browser/tab/wait result: "t1" at /tab, wanted an object',
  ]);
  host.close();
});
