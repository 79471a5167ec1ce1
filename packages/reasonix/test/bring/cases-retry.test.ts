/** Which ends of an extension's stream are worth a second request: those that nobody has seen anything of. */
import { createModels, systemClock } from "@reasonix-ts/agent";
import { expect, it } from "vitest";
import { stage } from "./support/stage.ts";

it.each([
  ["cut at once", 2, "done", "whole at 2"],
  ["says that it failed", 1, "failed", "no such key"],
  ["refuses to open", 1, "failed", "not today"],
  ["cut behind text", 1, "failed", "broke off"],
])("[P4] [P9] a stream that %s is asked for %i times and the turn is %s", async (word, asked, outcome, text) => {
  const set = await stage({
    model: "plugin/flaky/lab/one",
    models: createModels({ providers: [], apiKey: () => undefined, clock: systemClock }),
    plugins: [{ plugin: "flaky", fixture: "flaky.mjs" }],
  });
  const end = await set.session.turn(word);
  expect([end.outcome, end.text]).toEqual([outcome, expect.stringContaining(text)]);
  expect(await set.frames("flaky", "extension/provider/stream/open")).toHaveLength(asked);
  expect(set.of("retrying")).toHaveLength(asked - 1);
  // An answer that was shown is not shown again.
  const shown = set.of("text").map((event) => event.text);
  expect(shown).toEqual(outcome === "done" ? [text] : word === "cut behind text" ? ["so far"] : []);
});
