/** How a sidecar leaves. */
import { ShutdownResult } from "@reasonix-ts/protocol";
import type { Play } from "../play/play.ts";
import type { Arena, Check } from "./check.ts";
import { SAMPLES } from "../play/payloads.ts";
import { interceptParams } from "./intercepts.ts";
import { resultOf } from "./providers.ts";

const REQUEST = 5_000;
/** A host kills after 750 ms; a busy machine is given more before it is called a fault. */
const LEAVE = 5_000;
const GRACE = 750;

export const endChecks: readonly Check[] = [
  {
    id: "shutdown.polite",
    title: "It answers extension/shutdown and leaves when stdin ends",
    level: "must",
    cites: ["L5"],
    async run(arena) {
      const play = await arena.ready();
      await shutdown(play, arena);
      const closed = performance.now();
      play.trying("extension/shutdown was answered, and its stdin was closed");
      play.closeInput();
      await play.end(
        arena.within(LEAVE),
        `its end within ${GRACE} ms after stdin has closed; then a host kills the tree`,
      );
      const took = Math.round(performance.now() - closed);
      return took > GRACE ? `it took ${took} ms: a host would have killed it after ${GRACE} ms` : `${took} ms`;
    },
  },
  {
    id: "shutdown.leaves-nothing",
    title: "No process of its making outlives it",
    level: "must",
    cites: ["L5"],
    async run(arena) {
      const play = await arena.ready();
      const [point] = arena.facts.points;
      if (point !== undefined)
        await play.call("extension/intercept", interceptParams(arena, point, SAMPLES[point]), arena.within(60_000));
      await shutdown(play, arena);
      play.closeInput();
      await play.end(arena.within(LEAVE), "its end after stdin has closed");
      const end = performance.now() + 2_000;
      while (play.alive().length > 0 && performance.now() < end) await play.idle(20);
      const left = play.alive();
      if (left.length > 0)
        throw play.finding({
          what: `${left.length} processes that it started still run`,
          wanted: "none",
          got: left.join(", "),
        });
    },
  },
  {
    id: "shutdown.host-gone",
    title: "It leaves when stdin ends without a word, as when its host was killed",
    level: "must",
    cites: ["L5"],
    async run(arena) {
      const play = await arena.ready();
      play.trying("its stdin was closed, without extension/shutdown");
      play.closeInput();
      await play.end(arena.within(LEAVE), "its end when stdin has closed: nobody will ever ask it again");
    },
  },
  {
    id: "shutdown.before-start",
    title: "It leaves when stdin ends before the handshake",
    level: "should",
    cites: ["L5"],
    async run(arena) {
      const play = arena.start();
      play.trying("its stdin was closed before anything was sent");
      play.closeInput();
      await play.end(arena.within(30_000), "its end when stdin has closed");
    },
  },
];

async function shutdown(play: Play, arena: Arena): Promise<void> {
  const answer = await play.call("extension/shutdown", { timeoutMillis: REQUEST }, arena.within(REQUEST));
  resultOf(play, answer, ShutdownResult, '{} or {"accepted": true}');
}
