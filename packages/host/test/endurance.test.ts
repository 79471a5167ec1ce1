/** What does not grow: memory behind an endless line, and everything behind many calls. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemHostClock, type HostClock } from "../src/index.ts";
import { offering } from "./support/offers.ts";
import { setStage, until, type Stage } from "./support/stage.ts";

const MIB = 1_048_576;

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes that this process holds, outside the heap too. */
function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The most that is held over the base until the condition is true. */
async function peakUntil(base: number, condition: () => boolean | Promise<boolean>): Promise<number> {
  let peak = 0;
  await until(async () => {
    peak = Math.max(peak, held() - base);
    return condition();
  });
  return peak;
}

test("[T2] [T3] memory stays within 64 MiB of its base while an endless line comes in, on stdout and on stderr", async () => {
  const overrides = { capabilities: ["interceptors"] } as const;
  const host = await stage.host([
    offering(stage, "loud", overrides, { onInitialized: [{ wait: 300 }, { endless: "stdout", bytes: 256 * MIB }] }),
    offering(stage, "chatty", overrides, { onInitialized: [{ wait: 300 }, { endless: "stderr", bytes: 256 * MIB }] }),
  ]);
  collectGarbage();
  const peak = await peakUntil(held(), async () => {
    const chatted = (await stage.log("chatty")).some((entry) => entry["endless"] !== undefined);
    return chatted && host.diagnostics().plugins[0]?.state === "gone";
  });
  expect(peak).toBeLessThan(64 * MIB);
  const [loud, chatty] = host.diagnostics().plugins;
  expect(loud?.problem).toContain("frame_too_large");
  expect(chatty?.state).toBe("ready");
});

test("[I2] twenty thousand intercepts leave no timer, no pending call and no memory behind", async () => {
  let timers = 0;
  const clock: HostClock = {
    ...systemHostClock,
    after(millis, run) {
      timers += 1;
      let open = true;
      const over = () => {
        if (open) timers -= 1;
        open = false;
      };
      const cancel = systemHostClock.after(millis, () => {
        over();
        run();
      });
      return () => {
        over();
        cancel();
      };
    },
  };
  const spec = offering(
    stage,
    "busy",
    { capabilities: ["interceptors"], intercepts: ["tool.before"], env: { LOG: "" } },
    {},
  );
  const host = await stage.host([spec], { clock }, { receipt: () => {} });
  const lease = host.lease();
  const atOnce = async (calls: number) => {
    const batch = Array.from({ length: 50 }, (_, index) => ({ name: "bash", arguments: `{"n":${index}}` }));
    for (let done = 0; done < calls; done += batch.length)
      await Promise.all(batch.map((payload) => lease.rule("tool.before", payload, { callId: "c" })));
  };
  await atOnce(2_000);
  collectGarbage();
  const [base, idle] = [held(), timers];
  await atOnce(20_000);
  collectGarbage();
  expect(host.diagnostics().plugins[0]?.points[0]?.calls).toBe(22_000);
  expect(timers).toBe(idle);
  expect(held() - base).toBeLessThan(8 * MIB);
  lease.release();
});
