/** The vectors of frames over a real sidecar made with the SDK: what a host may write keeps it, what breaks the protocol ends it. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Play } from "../src/play/play.ts";
import { findSubject } from "../src/subject-files.ts";
import { bytesOf, readVectors } from "./support/vectors.ts";

const STARTER = fileURLToPath(new URL("../../../examples/starter", import.meta.url));
const { frames } = readVectors();
const whole = frames.vectors.filter((vector) => bytesOf(vector).at(-1) === 10);

describe.concurrent("the starter, to which is written", () => {
  test.each(whole.filter(({ end }) => end === "open"))("[T1] [T3] [T5] $name, goes on", async (vector) => {
    const play = startStarter();
    try {
      await play.call("extension/initialize", play.initializeParams(), 30_000);
      play.openBarrier();
      play.write(bytesOf(vector));
      const params = { event: "input.receive", seq: 1, payload: { text: "x" }, timeoutMillis: 5_000 };
      const { id, text } = play.prepare("extension/intercept", params, {}, 1_000);
      play.write(`${text}\n`);
      const answer = await play.answer(id, 30_000);
      expect(answer).toMatchObject({ kind: "result", result: { decision: "continue" } });
    } finally {
      play.close();
    }
  });

  test.each(whole.filter(({ end }) => end !== "open"))("[T1] [T3] [case T-09] $name, ends ($end)", async (vector) => {
    const play = startStarter();
    try {
      await play.call("extension/initialize", play.initializeParams(), 30_000);
      play.openBarrier();
      play.write(bytesOf(vector));
      const ending = await play.end(30_000, "an end");
      expect(ending.signal).toBeNull();
    } finally {
      play.close();
    }
  });
});

function startStarter(): Play {
  const { program, expectation } = findSubject([], join(STARTER, "reasonix-plugin.json"), process.cwd());
  return new Play({
    program,
    environment: { PATH: process.env["PATH"] },
    expectation,
    secret: "sk-conformance-vectors",
  });
}
