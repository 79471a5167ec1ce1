/** The rehearsal before the first real call: it ends, leaves nothing behind, and stops when nobody wants it. */
import { expect, test } from "vitest";
import { warmUp } from "../src/warm-up.ts";

test("[L1] it ends by itself and leaves no timer behind", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  let asked = 0;
  await warmUp(() => {
    asked += 1;
    return true;
  });
  expect(asked).toBe(8);
  expect(timers()).toBeLessThanOrEqual(before);
});

test("[L5] it stops at the next slice once the connection is over", async () => {
  let asked = 0;
  await warmUp(() => {
    asked += 1;
    return asked < 3;
  });
  expect(asked).toBe(3);
});
