import { describe, expect, it } from "vitest";
import { foldRange, isFull, requestTokens } from "../../src/compaction/when.ts";
import { DEFAULT_LIMITS } from "../../src/index.ts";
import type { ModelChunk, ModelRequest, StoredMessage } from "../../src/index.ts";
import {
  bench,
  blocked,
  calls,
  failed,
  replaced,
  says,
  scriptedModel,
  tableExtensions,
  temporaryFolder,
} from "../support.ts";

const user = (content: string): StoredMessage => ({ role: "user", content });
const answer = (content: string): StoredMessage => ({ role: "assistant", content });
const call = (...ids: readonly string[]): StoredMessage => ({
  role: "assistant",
  tool_calls: ids.map((id) => ({ id, name: "bash", arguments: "{}" })),
});
const result = (id: string, content = "r"): StoredMessage => ({ role: "tool", tool_call_id: id, content });

/** Tokens: four a message, and one for four characters. */
const FACTS = { window: 100, ratio: 0.8, keepRatio: 0.2 };

describe("which part of a conversation is folded", () => {
  it.each<[string, readonly StoredMessage[], { from: number; to: number } | null]>([
    ["nothing of a short one", [user("a"), answer("b")], null],
    ["the middle", [user("task"), answer("a"), user("b"), answer("c"), user("d".repeat(60))], { from: 1, to: 4 }],
    [
      "up to the answer whose calls are kept with their results",
      [user("task"), answer("a"), user("b"), call("1", "2"), result("1"), result("2", "x".repeat(60))],
      { from: 1, to: 3 },
    ],
    [
      "all but the last exchange, however large that is",
      [user("task"), answer("a"), user("b"), call("1"), result("1", "x".repeat(10_000))],
      { from: 1, to: 3 },
    ],
    ["what follows a summary", [user("summary"), answer("a"), user("b"), answer("c".repeat(80))], { from: 1, to: 3 }],
  ])("%s", (_name, messages, range) => {
    expect(foldRange(messages, FACTS)).toEqual(range);
  });

  it("never parts a call from its results, whatever the conversation", () => {
    for (let seed = 1; seed < 400; seed++) {
      const messages: StoredMessage[] = [user("task")];
      for (let index = 0, state = seed; index < 12; index++) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        if (state % 3 === 0) messages.push(user("u".repeat(state % 90)));
        else
          messages.push(
            call(`${index}a`, `${index}b`),
            result(`${index}a`, "r".repeat(state % 70)),
            result(`${index}b`),
          );
      }
      const range = foldRange(messages, FACTS);
      if (range === null) continue;
      const kept = [...messages.slice(0, range.from), ...messages.slice(range.to)];
      const asked = kept.flatMap((message) => message.tool_calls?.map((one) => one.id) ?? []);
      const answered = kept.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []));
      expect(answered).toEqual(asked);
    }
  });

  it("counts what the provider counted, and estimates only what came since", () => {
    const messages = [user("x".repeat(400)), answer("y".repeat(40))];
    expect(requestTokens(messages, null, 50)).toBe(50 + 104 + 14);
    expect(requestTokens(messages, { tokens: 30, messages: 1 }, 50)).toBe(30 + 14);
    expect(isFull(80, FACTS)).toBe(true);
    expect(isFull(79, FACTS)).toBe(false);
  });
});

const isSummaryRequest = (request: ModelRequest): boolean =>
  request.messages.at(-1)?.content?.startsWith("The conversation gets too long.") === true;

/** Answers every turn with much text, and a request for a summary with one. */
function talkative(summary: (request: ModelRequest) => readonly ModelChunk[] = () => says("SUMMARY")) {
  return scriptedModel([(request) => (isSummaryRequest(request) ? summary(request) : says("word ".repeat(400)))], {
    contextWindow: 3_000,
  });
}

const SETTINGS = { instructions: "", memory: false, compaction: { ratio: 0.8, keepRatio: 0.2, assumedWindow: 3_000 } };

async function talk(turn: (text: string) => Promise<unknown>, turns: number): Promise<void> {
  for (let index = 1; index <= turns; index++) await turn(`question ${index}`);
}

describe("compaction", () => {
  it("folds when the window is nearly full, keeps head and tail, and survives a resume", async () => {
    const folder = await temporaryFolder();
    const models = talkative();
    const { session, of } = await bench({ models, settings: SETTINGS, folder });
    await talk((text) => session.turn(text), 4);
    expect(of("compaction_started").length).toBeGreaterThan(0);
    expect(of("compaction_done")[0]).toMatchObject({ text: "SUMMARY" });
    const last = models.requests.at(-1)?.messages.map((message) => message.content?.slice(0, 20)) ?? [];
    expect(last[1]).toBe("question 1");
    expect(last[2]).toBe("The earlier part of ");
    expect(last.at(-1)).toBe("question 4");
    expect(session.entries.filter((entry) => entry.kind === "message")).toHaveLength(8);
    await session.close();
    const again = await bench({ models, settings: SETTINGS, folder, choice: { kind: "resume", id: session.id } });
    await again.session.turn("question 5");
    const resumed = models.requests.findLast((request) => !isSummaryRequest(request))?.messages ?? [];
    expect(resumed[1]?.content).toBe("question 1");
    expect(resumed[2]?.content).toContain("SUMMARY");
  });

  it("begins its own request as every other one, so that the provider's cache serves it", async () => {
    const models = talkative();
    const { session } = await bench({ models, settings: SETTINGS });
    await talk((text) => session.turn(text), 4);
    const at = models.requests.findIndex(isSummaryRequest);
    const before = models.requests[at - 1];
    const summary = models.requests[at];
    const bytes = (request: ModelRequest | undefined, count: number): string =>
      JSON.stringify([request?.tools, request?.messages.slice(0, count)]);
    expect(bytes(summary, 3)).toBe(bytes(before, 3));
  });

  it("[I1] passes its two points, and its own request passes the others as `compaction`", async () => {
    const extensions = tableExtensions(
      {
        "compaction.prepare": (payload) => replaced<"compaction.prepare">({ ...payload, guidance: "names of files" }),
        "compaction.complete": () => replaced<"compaction.complete">({ summary: "THEIR SUMMARY" }),
      },
      { wants: ["context.prepare", "provider.request", "provider.response"] },
    );
    const models = talkative();
    const { session } = await bench({ models, settings: SETTINGS, extensions });
    await session.turn("question 1");
    await session.turn("question 2");
    extensions.asked.length = 0;
    const result = await session.compact();
    expect(result).toEqual({ kind: "folded", summary: "THEIR SUMMARY", folded: 2 });
    expect(extensions.asked.map(({ point, scope }) => [point, scope.agent])).toEqual([
      ["compaction.prepare", "main"],
      ["context.prepare", "compaction"],
      ["provider.request", "compaction"],
      ["provider.response", "compaction"],
      ["compaction.complete", "main"],
    ]);
    expect(models.requests.at(-1)?.messages.at(-1)?.content).toContain("Heed in particular: names of files");
    await session.turn("question 3");
    expect(models.requests.at(-1)?.messages[2]?.content).toContain("THEIR SUMMARY");
  });

  it.each([
    ["compaction.prepare", () => blocked("keep it all"), "Blocked by guard: keep it all"],
    ["compaction.complete", () => failed("folder died"), "folder died"],
  ] as const)(
    "[I6] [I13] skips where %s says so; the turn goes on and it is not tried again in it",
    async (point, ruling, why) => {
      const extensions = tableExtensions({ [point]: ruling });
      const models = talkative();
      const { session, of } = await bench({ models, settings: SETTINGS, extensions });
      await talk((text) => session.turn(text), 4);
      expect(of("turn_done").map((event) => event.outcome)).toEqual(["done", "done", "done", "done"]);
      const done = of("compaction_done");
      expect(done.length).toBeGreaterThan(0);
      for (const event of done) expect(event).toMatchObject({ skipped: why, folded: 0 });
      expect(models.requests.filter((request) => !isSummaryRequest(request)).at(-1)?.messages).toHaveLength(8);
    },
  );

  it("does not fold what there is too little of", async () => {
    const { session } = await bench({ models: scriptedModel([says("hi")]) });
    await session.turn("go");
    expect(await session.compact()).toEqual({ kind: "skipped", why: "There is too little to fold." });
  });

  it("folds in the middle of a turn, between calls", async () => {
    let count = 0;
    const models = scriptedModel(
      [
        (request) => {
          if (isSummaryRequest(request)) return says("SUMMARY");
          return ++count > 6 ? says("done") : calls(["bash", { command: `echo ${"x".repeat(2_000)}` }]);
        },
      ],
      { contextWindow: 4_000 },
    );
    const limits = { ...DEFAULT_LIMITS, maxRepeats: 50 };
    const { session, of } = await bench({ models, settings: { ...SETTINGS, limits } });
    expect(await session.turn("go")).toMatchObject({ outcome: "done" });
    expect(of("compaction_done").some((event) => event.folded > 0)).toBe(true);
    for (const { messages } of models.requests) {
      const asked = messages.flatMap((message) => message.tool_calls?.map((one) => one.id) ?? []);
      expect(messages.filter((message) => message.role === "tool")).toHaveLength(asked.length);
    }
  });
});
