/** Bytes and lines: what a host may write, and what a sidecar has to understand. */
import { LIMITS } from "@reasonix-ts/protocol";
import type { JsonObject } from "../wire/frame.ts";
import type { Play } from "../play/play.ts";
import type { Arena, Check } from "./check.ts";
import { judgeDeclaration } from "./judge-handshake.ts";

const SOON = 10_000;
/** Raw line separators, a four-byte character, an escaped one: none of them ends a line. */
const HARD_TEXT = "读—🎉\u2028\u2029\u0085\ufeff\\n";

export const frameChecks: readonly Check[] = [
  {
    id: "frames.split",
    title: "It understands a frame that comes byte by byte, through the middle of characters",
    level: "must",
    cites: ["T1"],
    async run(arena) {
      const play = arena.start();
      play.trying("the frame was written one byte at a time");
      const params = { ...play.initializeParams(), future: HARD_TEXT };
      const { id, text } = play.prepare("extension/initialize", params);
      for (const byte of Buffer.from(`${text}\n`)) {
        play.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      judgeDeclaration(await play.answer(id, arena.within(30_000)));
    },
  },
  {
    id: "frames.joined",
    title: "It answers every one of fifty requests that come in one write, once and by its id",
    level: "must",
    cites: ["T1", "T4"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("fifty requests were written at once");
      const made = Array.from({ length: 50 }, () => probe(play));
      play.write(made.map(({ text }) => `${text}\n`).join(""));
      for (const { id } of made) await play.answer(id, arena.within(SOON));
    },
  },
  {
    id: "frames.line-separators",
    title: "U+2028, U+2029, U+0085 and a byte order mark inside of a frame end no line",
    level: "must",
    cites: ["T1"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("the frame holds raw U+2028, U+2029, U+0085 and U+FEFF");
      const { id, text } = probe(play, { future: HARD_TEXT });
      play.write(`${text}\n`);
      await play.answer(id, arena.within(SOON));
    },
  },
  {
    id: "frames.crlf",
    title: "It accepts CRLF and blank lines",
    level: "should",
    cites: ["T1"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("two blank lines were written, and the frame was ended with CR LF");
      const { id, text } = probe(play);
      play.write(`\n\r\n${text}\r\n\n`);
      await play.answer(id, arena.within(SOON));
    },
  },
  {
    id: "frames.lf",
    title: "It ends its own lines with LF alone",
    level: "should",
    cites: ["T1"],
    async run(arena) {
      const play = await arena.ready();
      const { id, text } = probe(play);
      play.write(`${text}\n`);
      await play.answer(id, arena.within(SOON));
      if (play.crlfLines > 0)
        throw play.finding({
          what: "it ends lines with CR LF",
          wanted: "LF; hosts accept CRLF, readers in between may not",
        });
    },
  },
  {
    id: "frames.ids",
    title: "It answers under the id that it was asked with, zero and the largest included",
    level: "must",
    cites: ["T4"],
    async run(arena) {
      const play = await arena.ready();
      for (const id of [0, Number.MAX_SAFE_INTEGER]) {
        const { text } = play.prepare("extension/x-conformance", {}, {}, id);
        play.write(`${text}\n`);
        await play.answer(id, arena.within(SOON));
      }
    },
  },
  {
    id: "frames.largest",
    title: "A frame of exactly 8 MiB is read",
    level: "must",
    cites: ["T3"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("a notification of 8,388,608 bytes was written");
      const frame = (text: string): string =>
        JSON.stringify({ jsonrpc: "2.0", method: "extension/x-conformance/note", params: { text } });
      play.write(`${frame("x".repeat(LIMITS.frameBytes - frame("").length))}\n`);
      await lives(play, arena, 60_000);
    },
  },
  {
    id: "frames.back-pressure",
    title: "It waits while nobody reads its answers, and loses none",
    level: "must",
    cites: ["T1"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("its stdout was not read for 200 ms while 400 requests were written");
      play.read(false);
      const ids = Array.from({ length: 400 }, () => {
        const { id, text } = probe(play, { filler: "y".repeat(1_000) });
        play.write(`${text}\n`);
        return id;
      });
      await play.idle(200);
      play.read(true);
      for (const id of ids) await play.answer(id, arena.within(30_000));
    },
  },
  {
    id: "frames.stray-replies",
    title: "It ignores an answer to a call that it never made",
    level: "must",
    cites: ["T1"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("a result and an error for calls that it never made were written");
      play.write('{"jsonrpc":"2.0","id":987654,"result":{}}\n');
      play.write('{"jsonrpc":"2.0","id":987655,"error":{"code":-32603,"message":"nobody asked"}}\n');
      await lives(play, arena);
    },
  },
  {
    id: "methods.unknown-request",
    title: "It answers a method that it does not know with -32601",
    level: "must",
    cites: ["E1"],
    async run(arena) {
      const play = await arena.ready();
      const answer = await play.call("extension/x-conformance", {}, arena.within(SOON));
      if (answer.kind === "error" && answer.code === -32601) return;
      const got = answer.kind === "error" ? `error ${answer.code}: ${answer.message}` : "a result";
      throw play.finding({
        what: "an unknown method was not refused as such",
        wanted: "error -32601 (unknown_method)",
        got,
        sent: answer.sent,
      });
    },
  },
  {
    id: "methods.unknown-notification",
    title: "It ignores notifications that it does not know, changed resources included",
    level: "must",
    cites: ["T1"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("extension/x-conformance/note and extension/resources/changed were sent as notifications");
      play.notify("extension/x-conformance/note", { any: 1 });
      play.notify("extension/resources/changed", { paths: ["/tmp/conformance/a"] });
      await lives(play, arena);
    },
  },
];

/** Any answer will do: it shows that the sidecar reads and answers. */
export async function lives(play: Play, arena: Arena, millis = SOON): Promise<void> {
  await play.call("extension/x-conformance", {}, arena.within(millis));
}

function probe(play: Play, params: JsonObject = {}): { id: number; text: string } {
  return play.prepare("extension/x-conformance", params);
}
