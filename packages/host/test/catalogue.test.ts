import { afterEach, beforeEach, expect, test } from "vitest";
import { judgeCatalogue } from "../src/providers/catalogue.ts";
import { fakeClock, type FakeClock } from "./support/fake-clock.ts";
import { offering, provider } from "./support/offers.ts";
import { setStage, until, type Script, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const judge = (...providers: unknown[]) => judgeCatalogue("p", { providers });
const ref = (rest: string) => ({ ref: `plugin/p/${rest}` });

test.each([
  ["no context window", ref("acme/m1"), null],
  ["a slash in the model's id", ref("acme/org/model:free"), null],
  ["letters of another script", ref("acme/模型"), null],
  ["one segment", ref("m1"), null],
  ["a space", ref("acme/m 1"), "/providers/0/ref"],
  ["dots that walk up", ref("acme/../m1"), "/providers/0/ref"],
  ["a zero-width character", ref("acme/m\u200b1"), "/providers/0/ref"],
  ["an escape", ref("acme/m\u001b[31m"), "/providers/0/ref"],
  ["an empty segment", ref("acme//m1"), "/providers/0/ref"],
  ["another plugin's name", { ref: "plugin/q/acme/m1" }, "/providers/0/ref"],
  ["no plugin's name", { ref: "acme/m1" }, "/providers/0/ref"],
  ["a negative price", { ...ref("acme/m1"), inputPerMillion: -1 }, "/providers/0/inputPerMillion"],
  ["a credential", { ...ref("acme/m1"), apiKey: "sk-live0123456789abcdef" }, "/providers/0/apiKey"],
  ["no object", "acme/m1", "/providers/0"],
])("[P1] [case P-06] an entry is kept or dropped with its path: %s", (_title, entry, path) => {
  const { models, problems } = judge(entry, ref("acme/good"));
  expect(problems.map((problem) => problem.path)).toEqual(path === null ? [] : [path]);
  expect(models.map((model) => model.ref)).toEqual([
    ...(path === null ? [(entry as { ref: string }).ref] : []),
    "plugin/p/acme/good",
  ]);
  expect(JSON.stringify(problems)).not.toContain("sk-live");
});

test("[P1] [case P-06] a ref that comes twice is kept once", () => {
  const { models, problems } = judge({ ...ref("a/m"), displayName: "first" }, { ...ref("a/m"), displayName: "second" });
  expect(models).toEqual([{ ref: "plugin/p/a/m", displayName: "first" }]);
  expect(problems).toEqual([{ path: "/providers/1/ref", text: '"plugin/p/a/m" at /providers/1/ref came twice' }]);
});

test("[P1] [P2] [case P-06] the good ones are offered on the first boot, the bad ones are told, 5,000 are welcome", async () => {
  const bad = [{ result: { providers: [{ ref: "plugin/bad/acme/m1" }, { ref: "plugin/bad/acme/m2", apiKey: "x" }] } }];
  const many = [{ many: 5_000, prefix: "plugin/many/acme" }];
  const host = await stage.host([
    provider(stage, "bad", [], { catalog: bad }),
    provider(stage, "many", [], { catalog: many }),
  ]);
  const lease = host.lease();
  expect(lease.models).toHaveLength(5_001);
  expect(lease.models[0]).toEqual({ ref: "plugin/bad/acme/m1" });
  lease.release();
  const [notice] = stage.notices.filter(({ code }) => code === "catalogue_problem");
  expect(notice).toMatchObject({ plugin: "bad", severity: "warn" });
  expect(notice?.text).toContain('unknown field "apiKey" at /providers/1/apiKey');
});

test("[P1] an answer that fails is asked for once more", async () => {
  const failed = { error: { code: -32603, message: "warming up" } };
  const catalog = [failed, { result: { providers: [{ ref: "plugin/slow/acme/late" }] } }];
  const host = await stage.host([provider(stage, "slow", [], { catalog })]);
  const lease = host.lease();
  expect(lease.models).toEqual([{ ref: "plugin/slow/acme/late" }]);
  lease.release();
  expect(await stage.frames("slow", "extension/provider/catalog")).toHaveLength(2);
});

test("[P1] [K2] [case P-06] without an answer twice ten seconds long the handshake's models stand, and boot goes on", async () => {
  const clock = fakeClock();
  const host = await bootWith(clock, { catalog: [{ hang: true }] });
  const lease = host.lease();
  expect(lease.models).toEqual([{ ref: "plugin/slow/acme/m1", model: "m1" }]);
  lease.release();
  expect(stage.notices.map(({ code }) => code)).toEqual(["catalogue_problem"]);
  expect(stage.notices[0]?.text).toContain("no answer within 10 s, twice");
});

async function bootWith(clock: FakeClock, script: Script) {
  const boot = stage.host([provider(stage, "slow", [], script)], { clock });
  for (const asked of [1, 2]) {
    await until(async () => (await stage.frames("slow", "extension/provider/catalog")).length === asked);
    clock.advance(10_000);
  }
  return boot;
}

test("[P1] [R5] a build that waits for a catalogue is given up at once by who wants it no more", async () => {
  const host = await stage.host([stage.spec("one", {})]);
  const aborting = new AbortController();
  const slow = provider(stage, "slow", [], { catalog: [{ hang: true }] });
  const reload = host.reload({ specs: [slow] }, { signal: aborting.signal });
  await until(async () => (await stage.frames("slow", "extension/provider/catalog")).length === 1);
  aborting.abort(new Error("changed my mind"));
  await expect(reload).rejects.toThrow("changed my mind");
  expect(await stage.frames("slow", "extension/provider/catalog")).toHaveLength(1);
  expect(host.generation).toBe(1);
});

test("[P1] who named no models at the handshake is not asked for any", async () => {
  const host = await stage.host([offering(stage, "quiet", { capabilities: ["providers"] }, {})]);
  const lease = host.lease();
  expect(lease.models).toEqual([]);
  lease.release();
  expect(await stage.frames("quiet", "extension/provider/catalog")).toEqual([]);
});

test("[P8] a sidecar gets no more of a request than the model is asked with", async () => {
  const host = await stage.host(
    [provider(stage, "maker", [{ chunk: { seq: 1, type: "done" } }, { end: { lastSeq: 1 } }])],
    { environment: { PATH: process.env["PATH"] } },
  );
  const lease = host.lease();
  const request = { messages: [], tools: [], maxTokens: 5 };
  for await (const batch of lease.stream("plugin/maker/acme/m1", request, {}))
    expect(batch).toEqual([{ type: "done" }]);
  lease.release();
  const [open] = await stage.frames("maker", "extension/provider/stream/open");
  expect(Object.keys(open?.params ?? {}).toSorted()).toEqual([
    "epoch",
    "generation",
    "model",
    "providerRef",
    "request",
    "seqBase",
    "streamId",
  ]);
  expect(open?.params["request"]).toEqual(request);
});
