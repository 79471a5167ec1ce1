/** Intercepts at every point that the sidecar asked for, and events. */
import { POINT_NAMES, POINTS, type PointName } from "@reasonix-ts/protocol";
import type { Play } from "../play/play.ts";
import { SAMPLES } from "../play/payloads.ts";
import type { JsonObject } from "../wire/frame.ts";
import type { Arena, Check, Facts } from "./check.ts";
import { lives } from "./frames.ts";
import { judgeIntercept } from "./judge-answer.ts";

export const interceptChecks: readonly Check[] = [
  ...POINT_NAMES.map(atPoint),
  {
    id: "intercept.newer-host",
    title: "It takes payloads with fields that it does not know",
    level: "must",
    cites: ["T5"],
    unless: withoutPoints,
    async run(arena) {
      const play = await arena.ready();
      for (const point of arena.facts.points) {
        const params = interceptParams(arena, point, { ...SAMPLES[point], future: { any: ["thing"] } });
        const answer = await play.call("extension/intercept", { ...params, future: 1 }, budget(arena, point));
        // A careful author copies what it does not know: the host lets what it sent itself pass.
        judgeIntercept(point, withoutFuture(answer));
      }
    },
  },
  {
    id: "intercept.at-once",
    title: "It answers thirty intercepts that run at the same time, each once",
    level: "must",
    cites: ["I2"],
    unless: withoutPoints,
    async run(arena) {
      const play = await arena.ready();
      const [point] = arena.facts.points;
      if (point === undefined) return;
      const ids = Array.from({ length: 30 }, () =>
        play.send("extension/intercept", interceptParams(arena, point, SAMPLES[point])),
      );
      for (const id of ids) judgeIntercept(point, await play.answer(id, budget(arena, point)));
    },
  },
  {
    id: "events.quiet",
    title: "It takes events at its points without answering them",
    level: "must",
    cites: ["I2", "I3"],
    unless: withoutPoints,
    async run(arena) {
      const play = await arena.ready();
      play.trying("an event was sent for each of its points, as a notification");
      for (const point of arena.facts.points) play.notify("extension/event", { event: point, payload: SAMPLES[point] });
      await lives(play, arena);
    },
  },
  {
    id: "events.burst",
    title: "It survives a burst of two thousand events",
    level: "must",
    cites: ["I3"],
    unless: withoutPoints,
    async run(arena) {
      const play = await arena.ready();
      play.trying("two thousand events were sent at once");
      const [point] = arena.facts.points;
      if (point === undefined) return;
      for (let index = 0; index < 2_000; index++)
        play.notify("extension/event", { event: point, payload: SAMPLES[point] });
      await lives(play, arena, 30_000);
    },
  },
];

function withoutPoints({ points }: Facts): string | null {
  return points.length === 0 ? "it intercepts no point" : null;
}

/** How long a host waits at a point. */
export function budget(arena: Arena, point: PointName): number {
  const { timeoutMillis } = arena.facts.expectation;
  const byFamily = POINTS[point].family === "fast" ? 5_000 : 30_000;
  return arena.within(timeoutMillis > 0 ? timeoutMillis : byFamily);
}

export function interceptParams(arena: Arena, event: PointName, payload: unknown): JsonObject {
  return { event, seq: 1, payload, timeoutMillis: budget(arena, event) };
}

function atPoint(point: PointName): Check {
  return {
    id: `intercept.${point}`,
    title: `It answers an intercept at ${point} with a legal decision, in time`,
    level: "must",
    cites: ["I2", "I7", "I8", "I14"],
    unless: ({ points }) => (points.includes(point) ? null : "it does not intercept this point"),
    async run(arena) {
      const play = await arena.ready();
      const answer = await play.call(
        "extension/intercept",
        interceptParams(arena, point, SAMPLES[point]),
        budget(arena, point),
      );
      const ruled = judgeIntercept(point, answer);
      return ruled === "error" ? "an error: counts as continue here, and events follow alone" : ruled.decision;
    },
  };
}

function withoutFuture(answer: Awaited<ReturnType<Play["call"]>>): Awaited<ReturnType<Play["call"]>> {
  if (answer.kind === "error") return answer;
  const result: unknown = JSON.parse(JSON.stringify(answer.result), (key, value: unknown) =>
    key === "future" ? undefined : value,
  );
  return { ...answer, result };
}
