/** Payloads that travel beside the frame. */
import { LIMITS, type PointName } from "@reasonix-ts/protocol";
import { show } from "../finding.ts";
import { makeContent, type Content, type Serving } from "../play/contents.ts";
import { largePayload } from "../play/payloads.ts";
import type { Answer } from "../play/answers.ts";
import type { Play } from "../play/play.ts";
import type { Arena, Check, Facts } from "./check.ts";
import { budget, interceptParams } from "./intercepts.ts";
import { judgeIntercept } from "./judge-answer.ts";

const BYTES = 600_000;
/** Pages that may be read in vain before it counts as a loop. */
const PATIENCE = 64;

export const contentChecks: readonly Check[] = [
  {
    id: "content.pages",
    title: "It answers a payload that travels by reference, and pages it back in order if it reads it",
    level: "must",
    cites: ["C1", "C2"],
    unless: withoutLargePoint,
    async run(arena) {
      const { play, point, content, answer } = await askLarge(arena, "whole");
      judgeIntercept(point, answer, [content.field.contentRef]);
      if (content.reads.length === 0) return "it did not read the content";
      const wanted = pageOffsets(content.bytes.length);
      if (show(content.reads) === show(wanted)) return `${content.reads.length} pages`;
      throw play.finding({ what: "the pages were not read in order", wanted: show(wanted), got: show(content.reads) });
    },
  },
  {
    id: "content.hash",
    title: "It does not rule on content whose bytes do not match the hash",
    level: "must",
    cites: ["C2"],
    unless: withoutLargePoint,
    async run(arena) {
      const { play, content, answer } = await askLarge(arena, "damaged");
      if (content.reads.length === 0) return "it did not read the content";
      if (answer.kind === "error" || !show(answer.result).includes("Zarge")) return;
      throw play.finding({
        what: "it used content that was damaged on the way",
        wanted: "an error or continue where SHA-256 or byte count differ from the descriptor",
        got: show(answer.result),
        sent: show(answer.sent),
      });
    },
  },
  {
    id: "content.expired",
    title: "It answers when the reference has expired",
    level: "must",
    cites: ["C4"],
    unless: withoutLargePoint,
    async run(arena) {
      await askLarge(arena, "expired");
    },
  },
  {
    id: "content.no-progress",
    title: "It stops reading when the pages do not advance",
    level: "should",
    cites: ["C2"],
    unless: withoutLargePoint,
    async run(arena) {
      const { play, point, content, id } = await sendLarge(arena, "standing_still");
      const silence = await play.answer(id, budget(arena, point)).catch((error: unknown) => error);
      if (content.reads.length > PATIENCE)
        throw play.finding({
          what: `it read the page at offset 0 ${content.reads.length} times, whose nextOffset is 0`,
          wanted: "to give up when nextOffset is not beyond offset",
        });
      if (silence instanceof Error) throw silence;
    },
  },
];

interface Sent {
  readonly play: Play;
  readonly point: PointName;
  readonly content: Content;
  readonly id: number;
}

async function sendLarge(arena: Arena, serving: Serving): Promise<Sent> {
  const point = largePointOf(arena.facts);
  if (point === undefined) throw new Error("checks without a point to ask at do not apply");
  const play = await arena.ready();
  const content = makeContent(largePayload(point, BYTES), serving);
  play.offer(content);
  play.trying(SERVINGS[serving]);
  const params = { ...interceptParams(arena, point, null), externalized: [content.field] };
  return { play, point, content, id: play.send("extension/intercept", params) };
}

async function askLarge(arena: Arena, serving: Serving): Promise<Sent & { readonly answer: Answer }> {
  const sent = await sendLarge(arena, serving);
  return { ...sent, answer: await sent.play.answer(sent.id, budget(arena, sent.point)) };
}

const SERVINGS: { readonly [S in Serving]: string } = {
  whole: "the payload travels by reference",
  damaged: "one letter of the first page was changed, so that the hash differs",
  standing_still: "the pages were served with a nextOffset that does not advance",
  expired: "host/content/read was answered with content_ref_expired",
};

function pageOffsets(bytes: number): readonly number[] {
  return Array.from(
    { length: Math.ceil(bytes / LIMITS.contentRefChunkBytes) },
    (_, page) => page * LIMITS.contentRefChunkBytes,
  );
}

function largePointOf({ points }: Facts): PointName | undefined {
  return points.find((point) => largePayload(point, 1) !== null);
}

function withoutLargePoint(facts: Facts): string | null {
  return largePointOf(facts) === undefined ? "it intercepts no point with large payloads" : null;
}
