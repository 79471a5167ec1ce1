/** What a host tells of itself: counters, diagnostics, trace, receipts, and what none of them may tell. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { changesOf } from "../src/dispatch/receipt.ts";
import { Stats } from "../src/stats.ts";
import { traceLine } from "../src/trace.ts";
import { offering, provider, refOf, listen, text, done, end } from "./support/offers.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const bash = { name: "bash", arguments: "{}" };

test("calls are counted per plugin and point: quantiles of the last 512, the longest of all, each kind of fault", () => {
  const stats = new Stats();
  stats.called("p", "tool.before", 900, "timeout");
  for (let millis = 1; millis <= 600; millis++) stats.called("p", "tool.before", millis, null);
  stats.called("p", "tool.after", 3, "illegal");
  stats.called("q", "tool.before", 7, null);
  stats.dropped("p", "tool.after");
  expect(stats.of("p")).toEqual([
    { point: "tool.before", calls: 601, p50: 344, p95: 575, max: 900, timeouts: 1, faults: { timeout: 1 }, dropped: 0 },
    { point: "tool.after", calls: 1, p50: 3, p95: 3, max: 3, timeouts: 0, faults: { illegal: 1 }, dropped: 1 },
  ]);
  expect(stats.of("nobody")).toEqual([]);
});

test("diagnostics tell of each plugin what it may do, offers and did", async () => {
  const spec = offering(
    stage,
    "all",
    {
      capabilities: ["interceptors", "strategies", "providers", "tools", "ui"],
      intercepts: ["tool.before"],
      replaces: ["tool:word_count"],
      tools: [{ name: "word_count", description: "d", inputSchema: {}, readOnly: true }],
    },
    {
      init: { providers: [{ ref: refOf("all") }], uiActions: [{ actionId: "sync" }] },
      catalog: [{ result: { providers: [{ ref: refOf("all") }, { ref: "plugin/all/x", key: "y" }] } }],
      intercept: { decision: "maybe" },
    },
  );
  const host = await stage.host([spec]);
  await ruleOnce(host, "tool.before", bash);
  const [all] = host.diagnostics().plugins;
  expect(all).toMatchObject({
    plugin: "all",
    state: "ready",
    pid: expect.any(Number),
    intercepts: ["tool.before"],
    owns: ["tool:word_count"],
    capabilities: ["interceptors", "strategies", "providers", "tools", "ui"],
    tools: ["word_count"],
    models: ["plugin/all/acme/m1"],
    actions: ["sync"],
    catalogueProblems: [{ path: "/providers/1/key" }],
    points: [{ point: "tool.before", calls: 1, timeouts: 0, faults: { illegal: 1 } }],
    lastFailure: { point: "tool.before", text: expect.stringContaining("/decision") },
  });
});

test("[K1] with counting off nothing is counted and the clock is not read for it", async () => {
  const host = await stage.host([stage.spec("one", { intercepts: ["tool.before"] })], { stats: false });
  await ruleOnce(host, "tool.before", bash);
  expect(host.diagnostics().plugins[0]).toMatchObject({ points: [], lastFailure: null });
});

test("[X3] a trace has every frame of both directions, one line of JSON each, without secrets", async () => {
  const lines: string[] = [];
  const steps = [text(1, "say sk-live0123456789abcdef"), done(2), end(2)];
  const host = await stage.host([provider(stage, "maker", steps)], { trace: (line) => void lines.push(line) });
  const heard = await listen(host, refOf("maker"));
  expect(heard.chunks[0]?.text).toBe("say sk-live0123456789abcdef");
  const entries = lines.map((line) => JSON.parse(line) as { direction: string; frame: { method?: string } });
  expect(entries.map(({ direction, frame }) => `${direction} ${frame.method ?? "reply"}`)).toEqual([
    "out extension/initialize",
    "in reply",
    "out extension/initialized",
    "out extension/provider/catalog",
    "in reply",
    "out extension/provider/stream/open",
    "in reply",
    "in extension/provider/stream/chunk",
    "in extension/provider/stream/chunk",
    "in extension/provider/stream/end",
  ]);
  expect(lines[0]).toMatch(/^\{"time":"[^"]+Z","plugin":"maker","generation":1,"direction":"out","frame":\{/);
  expect(lines.join("\n")).not.toContain("live0123456789");
});

test("[X3] a traced line that is no JSON, or is none any more, stands as text", () => {
  const facts = { time: 0, plugin: "p", generation: 1, direction: "in", frame: '{"a":"s3cret"}\n' } as const;
  expect(traceLine(facts, (line) => line.replace('"s3cret"', "[redacted]"))).toBe(
    '{"time":"1970-01-01T00:00:00.000Z","plugin":"p","generation":1,"direction":"in","text":"{\\"a\\":[redacted]}"}',
  );
});

test("[X3] [case X-01] a secret split over two writes, and the values of a sidecar's own environment, are hidden", async () => {
  const steps = [
    { stderr: "using API_TOK" },
    { wait: 50 },
    { stderr: "EN=abcdef12345 and plain-hunter-22-value\n" },
    { exit: 5 },
  ];
  const spec = offering(
    stage,
    "leaky",
    { capabilities: ["interceptors"], env: { SERVICE_PASSWORD: "plain-hunter-22-value", PLAIN: "plain-text-value" } },
    { onInitialized: steps },
  );
  const host = await stage.host([spec]);
  await until(() => host.diagnostics().plugins[0]?.state === "gone");
  const told = JSON.stringify([host.diagnostics(), stage.notices]);
  expect(told).toContain("using API_TOKEN=[redacted] and [redacted]");
  expect(told).not.toContain("abcdef12345");
  expect(told).not.toContain("hunter-22");
});

test("[X3] [case X-03] a replacement keeps its secrets: it is content", async () => {
  const secret = "key=sk-live0123456789abcdef";
  const script = { on: { "input.receive": { do: "set", members: { text: secret } } } };
  const host = await stage.host([stage.spec("adds", { intercepts: ["input.receive"] }, script)]);
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ payload: { text: secret } });
});

test("[I7] a receipt of a replacement shows each changed member before and after, at most 4,096 characters of each", () => {
  const long = { role: "user", content: "x".repeat(10_000) };
  expect(changesOf({ text: "a", same: 1 }, { text: "b", same: 1, more: [true, null] })).toEqual([
    { member: "/text", before: '"a"', after: '"b"', cut: false },
    { member: "/more", before: null, after: "[true,null]", cut: false },
  ]);
  const [change] = changesOf({ messages: [long, long] }, { messages: [{ ...long, name: 'q"' }] });
  expect(change).toMatchObject({ member: "/messages", cut: true });
  expect(change?.before).toHaveLength(4_096);
  expect(change?.before?.startsWith('[{"role":"user","content":"xxx')).toBe(true);
  expect(changesOf({ a: { b: 'x"\n', c: undefined } }, {})).toEqual([
    { member: "/a", before: '{"b":"x\\"\\n"}', after: null, cut: false },
  ]);
});
