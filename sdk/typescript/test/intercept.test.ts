/** Intercepts and events over an in-memory connection. */
import { createPair, type Peer } from "@reasonix-ts/rpc";
import { expect, test, vi } from "vitest";
import { attach } from "../src/attach.ts";
import { describeFailure } from "../src/failure.ts";
import { allow, block, defineExtension, next, replace, type Extension } from "../src/index.ts";
import { testHost } from "../src/testing.ts";

const BASE = { name: "acme", version: "0.1.0" };

/** A host that says what the test tells it to say, in frames. */
async function rawHost(extension: Extension): Promise<{ readonly host: Peer; readonly log: string[] }> {
  const log: string[] = [];
  const redact = (text: string): string => text;
  const { left: host, right } = createPair({}, { describeError: describeFailure(redact) });
  attach(right, extension, { pluginName: "acme", log: (message) => void log.push(message), redact });
  await host.request("extension/initialize", {
    protocolId: "reasonix.extension.v2",
    protocolVersion: "2",
    manifest: { futureField: [1] },
    session: { sessionId: "s1", workspaceRoot: "/w", generation: 7, epoch: "e1", futureField: 1 },
    capabilities: { contentRefs: true, protocolVersion: "2", uiHost: "desktop" },
    futureField: {},
  });
  host.notify("extension/initialized", {});
  return { host, log };
}

test("[I5] [I6] [I7] [I8] each ruling travels as it is", async () => {
  const host = await testHost(
    defineExtension({
      ...BASE,
      intercept: {
        "input.receive": ({ text }) => {
          if (text === "stop") return block("because");
          return text === "change" ? replace({ text: "changed" }) : next();
        },
        "permission.decision": () => allow("a person said so"),
      },
    }),
  );
  expect(await host.intercept("input.receive", { text: "go" })).toEqual({ decision: "continue" });
  expect(await host.intercept("input.receive", { text: "stop" })).toEqual({ decision: "block", reason: "because" });
  expect(await host.intercept("input.receive", { text: "change" })).toEqual({
    decision: "replace",
    replacement: { text: "changed" },
  });
  expect(await host.intercept("permission.decision", { name: "bash", arguments: "{}", hostDecision: "deny" })).toEqual({
    decision: "allow",
    reason: "a person said so",
  });
  await host.close();
});

test("[T5] [case I-05] members that a newer host sends reach the handler and travel on in a replacement", async () => {
  const { host } = await rawHost({
    ...BASE,
    intercept: { "input.receive": (payload) => replace({ ...payload, text: "y" }) },
  });
  const params = { event: "input.receive", seq: 1, timeoutMillis: 5_000, payload: { text: "x", added: { deep: [1] } } };
  expect(await host.request("extension/intercept", { ...params, futureField: true })).toEqual({
    decision: "replace",
    replacement: { text: "y", added: { deep: [1] } },
  });
  host.close();
});

test("[E2] a point that this version does not know is let through", async () => {
  const { host } = await rawHost({ ...BASE, intercept: { "input.receive": () => block("no") } });
  const params = { event: "point.of.the.future", seq: 1, timeoutMillis: 5_000, payload: [] };
  expect(await host.request("extension/intercept", params)).toEqual({ decision: "continue" });
  host.close();
});

test("[case I-04] what is no ruling, or not legal at the point, is answered as an error", async () => {
  const answers: readonly (readonly [unknown, string])[] = [
    [undefined, "answered nothing; return next(), block(reason) or replace(payload)"],
    [{ decision: "blok" }, 'answered {"decision":"blok"}'],
    [{ decision: "deny" }, "answered deny, legal at permission.decision only"],
    [{ decision: "replace" }, "answered replace with no object; give the whole payload"],
    [{ decision: "replace", replacement: [] }, "answered replace with no object"],
    ["continue", 'answered "continue"'],
  ];
  for (const [answer, message] of answers) {
    const handler: unknown = () => answer;
    // What plain JavaScript may do, the types forbid.
    const { host } = await rawHost({ ...BASE, intercept: { "tool.before": handler } } as unknown as Extension);
    const params = { event: "tool.before", seq: 1, timeoutMillis: 5_000, payload: { name: "bash", arguments: "{}" } };
    await expect(host.request("extension/intercept", params)).rejects.toThrow(message);
    host.close();
  }
});

test("[I5] null for an optional member counts as absent, and a payload of another shape is refused with its path", async () => {
  const seen: unknown[] = [];
  const { host } = await rawHost({
    ...BASE,
    intercept: {
      "provider.response": (payload) => {
        seen.push(payload);
        return next();
      },
    },
  });
  const params = { event: "provider.response", seq: 1, timeoutMillis: 5_000 };
  await host.request("extension/intercept", { ...params, payload: { text: "x", calls: null } });
  expect(seen).toEqual([{ text: "x" }]);
  await expect(host.request("extension/intercept", { ...params, payload: { text: 42 } })).rejects.toThrow(
    "the payload at provider.response: 42 at /text, wanted a string",
  );
  host.close();
});

test("[I14] [case I-09] a handler is told of point, session, seq, budget and who is calling", async () => {
  const seen: unknown[] = [];
  const host = await testHost(
    defineExtension({
      ...BASE,
      intercept: {
        "tool.before": (_payload, { point, seq, meta, session, remainingMillis }) => {
          const left = remainingMillis();
          seen.push({ point, seq, meta, session, hasBudget: left > 50_000 && left <= 60_000 });
          return next();
        },
      },
    }),
    { session: { sessionId: "s9", generation: 4, uiHost: "acp" } },
  );
  const payload = { name: "bash", arguments: "{}" };
  const meta = { callId: "c1", agent: "explorer", sessionId: "stored-1" };
  await host.intercept("tool.before", payload, { meta, timeoutMillis: 60_000 });
  await host.intercept("tool.before", payload, { timeoutMillis: 0 });
  const session = { sessionId: "s9", workspaceRoot: "/workspace", generation: 4, uiHost: "acp" };
  expect(seen).toEqual([
    { point: "tool.before", seq: 1, meta, session, hasBudget: true },
    { point: "tool.before", seq: 2, meta: {}, session, hasBudget: false },
  ]);
  await host.close();
});

test("[I11] the owner of tool:<name> goes before the interceptor, for that tool alone", async () => {
  const host = await testHost(
    defineExtension({
      ...BASE,
      intercept: { "tool.before": () => block("interceptor") },
      replace: { "tool:bash": { "tool.before": () => block("owner of bash") } },
    }),
  );
  const call = (name: string) => host.intercept("tool.before", { name, arguments: "{}" });
  expect(await call("bash")).toEqual({ decision: "block", reason: "owner of bash" });
  expect(await call("grep")).toEqual({ decision: "block", reason: "interceptor" });
  await host.close();
});

test("[case I-08] 20,000 intercepts leave no listener and no timer behind, signal asked for or not", async () => {
  let fired = 0;
  const host = await testHost(
    defineExtension({
      ...BASE,
      intercept: {
        "input.receive": ({ text }, context) => {
          if (text === "watch") context.signal.addEventListener("abort", () => (fired += 1));
          return next();
        },
      },
    }),
  );
  const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const warned = vi.fn();
  process.on("warning", warned);
  for (let call = 0; call < 20_000; call++) {
    await host.intercept("input.receive", { text: call % 2 === 0 ? "watch" : "" }, { timeoutMillis: 60_000 });
  }
  process.off("warning", warned);
  const after = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  expect(after).toBeLessThanOrEqual(before);
  expect(warned).not.toHaveBeenCalled();
  await host.close();
  expect(fired).toBe(0);
});

test("[I2] observers see events in order, large ones among them, and their errors go to the log", async () => {
  const seen: string[] = [];
  const host = await testHost(
    defineExtension({
      ...BASE,
      observe: {
        "tool.after": ({ name, result = "" }, { meta }) => {
          seen.push(`${name} ${result.length} ${meta.callId ?? "-"}`);
          if (name === "bad") throw new Error("cannot watch this");
        },
      },
    }),
  );
  await Promise.all([
    host.event("tool.after", { name: "large", arguments: "{}", result: "x".repeat(400_000) }),
    host.event("tool.after", { name: "small", arguments: "{}", result: "y" }, { meta: { callId: "c2" } }),
    host.event("tool.after", { name: "bad", arguments: "{}" }),
  ]);
  expect(seen).toEqual(["large 400000 -", "small 1 c2", "bad 0 -"]);
  expect(host.log.join("\n")).toContain("the observer of tool.after failed: cannot watch this");
  await host.close();
});

const INPUT = { event: "input.receive", seq: 1, timeoutMillis: 5_000, payload: { text: "typed" } };

test("[I2] on a host that sends no event at input.receive, observers are told through the intercept, as it was left", async () => {
  const seen: string[] = [];
  const { host } = await rawHost({
    ...BASE,
    intercept: { "input.receive": (payload) => replace({ ...payload, text: `${payload.text}!` }) },
    observe: { "input.receive": ({ text }) => void seen.push(text) },
  });
  await host.request("extension/intercept", INPUT);
  await vi.waitFor(() => expect(seen).toEqual(["typed!"]));
  // Should an event follow after all, it is not told twice, and from then on events alone count.
  host.notify("extension/event", { event: "input.receive", payload: { text: "typed!" } });
  await host.request("extension/intercept", INPUT);
  host.notify("extension/event", { event: "input.receive", payload: { text: "second" } });
  await host.request("extension/provider/catalog", {});
  expect(seen).toEqual(["typed!", "second"]);
  host.close();
});

test("[I2] a host that puts _meta into its frames sends the event too, so the intercept is not told", async () => {
  const seen: string[] = [];
  const { host } = await rawHost({ ...BASE, observe: { "input.receive": ({ text }) => void seen.push(text) } });
  const result = await host.request("extension/intercept", INPUT, { meta: { agent: "main" } });
  expect(result).toEqual({ decision: "continue" });
  host.notify("extension/event", { event: "input.receive", payload: { text: "event" } }, { meta: { agent: "main" } });
  await host.request("extension/provider/catalog", {});
  expect(seen).toEqual(["event"]);
  host.close();
});

test("[L4] nothing is sent before the barrier opens; handlers wait for onStart, and fail with its error", async () => {
  const order: string[] = [];
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const extension = defineExtension({
    ...BASE,
    // The in-memory host refuses traffic before `initialized`, so a frame that goes out here fails the test.
    providers: async () => {
      order.push("providers");
      return [];
    },
    onStart: async ({ ui, session }) => {
      order.push(`start in ${session.workspaceRoot}`);
      await ui.status("ready", { label: "ready" });
      await gate;
      order.push("started");
    },
    intercept: {
      "input.receive": () => {
        order.push("intercept");
        return next();
      },
    },
  });
  const starting = testHost(extension);
  setTimeout(letGo, 1);
  const host = await starting;
  await host.intercept("input.receive", { text: "x" });
  expect(order).toEqual(["providers", "start in /workspace", "started", "intercept"]);
  expect(host.surface("ready")?.payload).toEqual({ label: "ready" });
  await host.close();

  const failing = await testHost({ ...extension, onStart: () => Promise.reject(new Error("no database")) });
  await expect(failing.intercept("input.receive", { text: "x" })).rejects.toThrow("no database");
  expect(failing.log.join("\n")).toContain("onStart failed: no database");
  await failing.close();
});

test("[L1] a second handshake, a call before the first, and another major version are refused", async () => {
  const { host } = await rawHost(BASE);
  const hello = {
    protocolId: "reasonix.extension.v2",
    protocolVersion: "3",
    manifest: {},
    session: { sessionId: "s", workspaceRoot: "/", generation: 1 },
    capabilities: {},
  };
  await expect(host.request("extension/initialize", { ...hello, protocolVersion: "2" })).rejects.toThrow(
    "extension/initialize came twice",
  );
  await expect(host.request("extension/initialize", hello)).rejects.toThrow(
    'the host speaks protocol version "3", this extension "2"',
  );
  await expect(host.request("extension/initialize", { ...hello, session: {} })).rejects.toThrow(
    'missing field "sessionId" at /session/sessionId',
  );
  host.close();
});
