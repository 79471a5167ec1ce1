/** Large payloads by reference, with real sidecars, and the store on a clock that moves only when told. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contentOf, ContentStore } from "../src/content-store.ts";
import { Parcel } from "../src/dispatch/payload.ts";
import { fakeClock } from "./support/fake-clock.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

describe("the store", () => {
  test("[C2] [case C-05] pages have 256 KiB, the last has no nextOffset, the offset at the end gives an empty page", () => {
    const store = new ContentStore(fakeClock());
    const content = contentOf("é".repeat(150_000));
    const { contentRef, totalBytes, sha256 } = store.put(content, "/payload");
    expect([totalBytes, sha256]).toEqual([300_000, createHash("sha256").update("é".repeat(150_000)).digest("hex")]);
    const page = (offset: number) => {
      const read = store.read(contentRef, offset);
      return read === null ? null : [Buffer.from(read.dataBase64, "base64").length, read.nextOffset];
    };
    expect([page(0), page(262_144), page(262_143), page(300_000), page(300_001), page(1e12)]).toEqual([
      [262_144, 262_144],
      [37_856, undefined],
      [37_857, undefined],
      [0, undefined],
      null,
      null,
    ]);
  });

  test("[C4] a reference expires in its time and not before; a foreign one is unknown", () => {
    const clock = fakeClock();
    const store = new ContentStore(clock);
    const { contentRef } = store.put(contentOf("x"), "/payload");
    clock.advance(1_000_000);
    expect(store.read(contentRef, 0)).not.toBeNull();
    store.expire(contentRef, 30_000);
    clock.advance(29_999);
    expect(store.read(contentRef, 0)).not.toBeNull();
    expect(new ContentStore(clock).read(contentRef, 0)).toBeNull();
    clock.advance(1);
    expect(store.read(contentRef, 0)).toBeNull();
    expect([store.size, clock.timers]).toEqual([0, 0]);
  });

  test("[C4] a closed store forgets all, keeps nothing more and leaves no timer", () => {
    const clock = fakeClock();
    const store = new ContentStore(clock);
    store.expire(store.put(contentOf("x"), "/payload").contentRef, 30_000);
    store.put(contentOf("y"), "/payload");
    store.close();
    const late = store.put(contentOf("z"), "/payload");
    store.expire(late.contentRef, 30_000);
    expect([store.size, clock.timers]).toEqual([0, 0]);
  });
});

const payloadOf = (bytes: number, unit = "x") => {
  const room = bytes - Buffer.byteLength('{"text":""}');
  const count = Math.floor(room / Buffer.byteLength(unit));
  return { text: unit.repeat(count) + "x".repeat(room - count * Buffer.byteLength(unit)) };
};

test.each([
  [65_536, "x", "inline"],
  [65_537, "x", "by_reference"],
  [65_536, "读", "inline"],
  [65_537, "读", "by_reference"],
  [65_538, "🎉", "by_reference"],
  [8_388_608, "x", "by_reference"],
  [8_388_609, "x", "too_large"],
])("[C1] [C3] [case C-02] a payload of %i bytes of %s travels %s", (bytes, unit, kind) => {
  const parcel = new Parcel(payloadOf(bytes, unit));
  expect(Buffer.byteLength(parcel.text)).toBe(bytes);
  expect(parcel.passTo(new ContentStore(fakeClock())).kind).toBe(kind);
});

test("[C1] [case C-02] escapes count as they are written", () => {
  const store = new ContentStore(fakeClock());
  expect(new Parcel({ text: "\n".repeat(32_762) }).passTo(store).kind).toBe("inline");
  expect(new Parcel({ text: "\n".repeat(32_763) }).passTo(store).kind).toBe("by_reference");
});

describe("with sidecars", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
  });
  afterEach(() => stage.strike());
  const intercepts = ["input.receive"] as const;
  const at = (...steps: readonly object[]) => ({ on: { "input.receive": steps } });

  test("[C1] [C2] [case C-01] 200 KiB are paged back, verified, changed and round-trip byte for byte", async () => {
    const text = "日志 line\n".repeat(20_480).slice(0, 204_800);
    const host = await stage.host([stage.spec("pager", { intercepts }, at({ do: "appendByReference", text: "!" }))]);
    const ruling = await ruleOnce(host, "input.receive", { text });
    expect(ruling).toEqual({ kind: "proceed", payload: { text: `${text}!` }, changedBy: ["pager"] });
    const [frame] = await stage.frames("pager", "extension/intercept");
    expect(frame?.params).toMatchObject({ payload: null, externalized: [{ jsonPointer: "/payload" }] });
    expect((await stage.log("pager")).find((entry) => entry["content"])).toMatchObject({ content: "good" });
    await until(async () => (await stage.frames("pager", "extension/event")).length === 1);
    const [event] = await stage.frames("pager", "extension/event");
    expect(event?.params).toMatchObject({ payload: null, externalized: [{ jsonPointer: "/payload" }] });
  });

  test("[C1] a reference may be handed back as the replacement", async () => {
    const text = "x".repeat(70_000);
    const host = await stage.host([stage.spec("echo", { required: true, intercepts }, at({ do: "echoReference" }))]);
    expect(await ruleOnce(host, "input.receive", { text })).toEqual({
      kind: "proceed",
      payload: { text },
      changedBy: [],
    });
  });

  test("[C4] [case C-05] sloppy offsets and foreign references are told apart, and the connection lives", async () => {
    const step = { do: "sloppyReads", offsets: [-1, 1.5, "0", 1e12, 70_011, 70_012, 0], refs: ["content-of-another"] };
    const host = await stage.host([stage.spec("sloppy", { required: true, intercepts }, at(step))]);
    expect(await ruleOnce(host, "input.receive", { text: "x".repeat(70_000) })).toMatchObject({ kind: "proceed" });
    expect((await stage.log("sloppy")).find((entry) => entry["pages"])).toMatchObject({
      pages: [
        "invalid_params",
        "invalid_params",
        "invalid_params",
        "content_ref_expired",
        [0, null],
        "content_ref_expired",
        [93_348, null],
        "content_ref_expired",
      ],
    });
  });

  test("[C2] [case C-05] a thousand reads at once are all answered", async () => {
    const step = { do: "parallelReads", count: 1_000 };
    const host = await stage.host([
      stage.spec("eager", { required: true, intercepts, timeoutMillis: 60_000 }, at(step)),
    ]);
    expect(await ruleOnce(host, "input.receive", { text: "x".repeat(70_000) })).toMatchObject({ kind: "proceed" });
    expect((await stage.log("eager")).find((entry) => entry["reads"])).toMatchObject({ reads: 1_000, sizes: [93_348] });
  });

  test("[C3] [case C-06] over 8 MiB an optional plugin is skipped with one warning, a required one and an owner fail", async () => {
    const payload = { name: "bash", arguments: "{}", result: "x".repeat(9_437_184) };
    const observer = stage.spec("observer", { intercepts: ["tool.after"] });
    const host = await stage.host([observer]);
    expect(await ruleOnce(host, "tool.after", payload)).toMatchObject({ kind: "proceed", payload });
    expect(stage.notices.map(({ code }) => code)).toEqual(["interceptor_skipped"]);
    expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
    for (const overrides of [
      { required: true, intercepts: ["tool.after"] as const },
      { replaces: ["tool:bash"] as const },
    ]) {
      await host.reload({ specs: [stage.spec("strict", overrides)] });
      const ruling = await ruleOnce(host, "tool.after", payload);
      expect(ruling).toMatchObject({ kind: "failed", plugin: "strict", reason: "frame_too_large" });
      expect(ruling.kind === "failed" ? ruling.message : "").toMatch(/94\d{5} bytes .* more than the 8388608/);
    }
  });
});
