import { describe, expect, it } from "vitest";
import { orAbandoned } from "../src/abandon.ts";
import { DEFAULT_LIMITS } from "../src/index.ts";
import { RepeatWatch } from "../src/limits.ts";
import { Meter } from "../src/meter.ts";
import { bench, calls, says, scriptedModel, temporaryFolder } from "./support.ts";

const USAGE = {
  promptTokens: 100,
  completionTokens: 10,
  totalTokens: 110,
  cacheHitTokens: 0,
  cacheMissTokens: 100,
  reasoningTokens: 0,
};

describe("work that was asked to stop", () => {
  it("settles as it does while nobody gave up, and is left alone after the bound", async () => {
    const stop = new AbortController();
    expect(await orAbandoned(Promise.resolve(1), stop.signal, 1)).toBe(1);
    await expect(orAbandoned(Promise.reject(new Error("own")), stop.signal, 1)).rejects.toThrow("own");
    const never = new Promise<never>(() => {});
    stop.abort(new Error("given up"));
    await expect(orAbandoned(never, stop.signal, 1)).rejects.toThrow("given up");
    expect(await orAbandoned(Promise.resolve(2), stop.signal, 10_000)).toBe(2);
  });

  it("does not keep a turn: a tool that heeds no signal is left behind", async () => {
    const stop = new AbortController();
    const deaf = {
      name: "deaf",
      description: "",
      parameters: { type: "object" },
      readOnly: false,
      prepare: () => ({
        ok: true as const,
        call: {
          subject: { kind: "nothing" as const },
          run: () => {
            stop.abort();
            return new Promise<never>(() => {});
          },
        },
      }),
    };
    const { session, of } = await bench({
      models: scriptedModel([calls(["deaf", {}]), says("never")]),
      ports: { extraTools: [deaf] },
      settings: { limits: { ...DEFAULT_LIMITS, interruptionMillis: 1 } },
    });
    expect(await session.turn("go", { signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    expect(of("tool_result")[0]?.text).toBe("deaf was interrupted; what it did until then is not known.");
  });
});

describe("repeated calls", () => {
  it("count while arguments and results are the same, and a refusal counts on", () => {
    const watch = new RepeatWatch(2);
    const step = (args: string, result: string): string => {
      const ruling = watch.before("t", args);
      watch.after("t", args, ruling === "run" ? result : "refused", ruling !== "run");
      return ruling;
    };
    expect([step("a", "1"), step("a", "1"), step("a", "1"), step("a", "1"), step("a", "1")]).toEqual([
      "run",
      "run",
      "refuse",
      "refuse",
      "stop",
    ]);
    expect([step("b", "1"), step("a", "1"), step("b", "1"), step("a", "1")]).toEqual(["run", "run", "run", "run"]);
    expect([step("p", "1"), step("p", "2"), step("p", "3"), step("p", "4")]).toEqual(["run", "run", "run", "run"]);
  });
});

describe("what a session has cost", () => {
  it("[P8] stays unknown without a price, and adds one currency only", () => {
    const meter = new Meter();
    meter.add(USAGE, null);
    meter.add(null, null);
    expect(meter.spent).toMatchObject({ requests: 2, counted: 1, priced: 0, cost: null, currency: null });
    meter.add(USAGE, { amount: 2, currency: "EUR" });
    meter.add(USAGE, { amount: 5, currency: "USD" });
    expect(meter.spent).toMatchObject({ counted: 3, priced: 1, promptTokens: 300, cost: 2, currency: "EUR" });
  });

  it("goes on after a resume, in the same currency", async () => {
    const folder = await temporaryFolder();
    const models = scriptedModel([[{ type: "usage", usage: USAGE }, ...says("hi")]], {
      inputPerMillion: 10_000,
      outputPerMillion: 0,
      pricingCurrency: "EUR",
    });
    const one = await bench({ models, folder });
    await one.session.turn("go");
    await one.session.close();
    const two = await bench({ models, folder, choice: { kind: "resume", id: one.session.id } });
    await two.session.turn("on");
    expect(two.session.spent).toMatchObject({ requests: 2, cost: 2, currency: "EUR" });
  });

  it("cannot be limited where no price is known, which is told once", async () => {
    const { session, of } = await bench({
      models: scriptedModel([says("hi")]),
      settings: { limits: { ...DEFAULT_LIMITS, maxCost: 1 } },
    });
    await session.turn("go");
    await session.turn("on");
    expect(of("notice").map((event) => event.text)).toEqual([
      "The limit on costs cannot be held with test/scripted: its prices are not known.",
    ]);
  });
});
