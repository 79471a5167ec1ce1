/** Random calls, answers, cancels, garbled bytes and ends over a pair of peers: every call settles once, nothing is left. */
import { createPair, type Clock, type Peer, type Side } from "@reasonix-ts/rpc";
import fc from "fast-check";
import { expect, test } from "vitest";

interface Call {
  readonly from: Side;
  readonly n: number;
  readonly cancel: AbortController;
  settled: number;
  answered: boolean;
}

interface Course {
  readonly calls: Call[];
  /** Answers that are held back, by the number of their call. */
  readonly answers: Map<number, (value: unknown) => void>;
}

type Step =
  | { readonly do: "call"; readonly from: Side; readonly timeout: number | null }
  | { readonly do: "answer" | "cancel"; readonly which: number }
  | { readonly do: "notify" | "observe" | "end" | "close" | "garbage"; readonly from: Side }
  | { readonly do: "split"; readonly from: Side; readonly bytes: number }
  | { readonly do: "advance"; readonly millis: number }
  | { readonly do: "cut" };

const side = fc.constantFrom<Side>("left", "right");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("call"), from: side, timeout: fc.option(fc.integer({ min: 1, max: 50 })) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom("answer", "cancel"), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("notify", "observe"), from: side }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("split"), from: side, bytes: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("advance"), millis: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("end", "close", "garbage"), from: side }) },
  { weight: 1, arbitrary: fc.constant({ do: "cut" } as const) },
);

test("[T1] [L6] any course of calls and ends: every call settles once, with its own answer, and no timer is left", async () => {
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const clock = heldClock();
      const { left, right, link } = createPair({ clock }, { clock });
      const peers = { left, right };
      const course: Course = { calls: [], answers: new Map() };
      for (const peer of [left, right]) {
        peer.onRequest("ask", ({ n }) => new Promise((resolve) => course.answers.set(Number(n), resolve)));
        peer.onNotification("note", () => {});
      }
      for (const one of steps) {
        take(one, course, peers, link, clock);
        await drained();
      }
      for (const [n, answer] of course.answers) answer(n);
      await drained();
      left.close();
      right.close();
      await Promise.all([left.closed, right.closed]);
      await drained();
      answered += course.calls.filter((call) => call.answered).length;
      expect(course.calls.map(({ n, settled }) => [n, settled])).toEqual(course.calls.map(({ n }) => [n, 1]));
      expect([left.pendingCalls, right.pendingCalls, clock.timers()]).toEqual([0, 0, 0]);
    }),
    { numRuns: 150 },
  );
  // The courses are not all cut short: many calls had their answer.
  expect(answered).toBeGreaterThan(100);
});

function take(
  one: Step,
  course: Course,
  peers: { readonly left: Peer; readonly right: Peer },
  link: ReturnType<typeof createPair>["link"],
  clock: HeldClock,
): void {
  switch (one.do) {
    case "call":
      return begin(course, peers[one.from], one.from, one.timeout);
    case "answer":
      return course.answers.get(one.which)?.(one.which);
    case "cancel":
      return course.calls[one.which]?.cancel.abort(new Error("nobody waits any more"));
    case "notify":
      return void peers[one.from].notify("note", {});
    case "observe":
      return void peers[one.from].observe("note", {});
    case "end":
      return peers[one.from].end();
    case "close":
      return peers[one.from].close();
    case "garbage":
      return link.inject(one.from, "no frame\n");
    case "split":
      return link.split(one.from, one.bytes);
    case "advance":
      return clock.advance(one.millis);
    case "cut":
      return link.cut();
  }
}

function begin(course: Course, peer: Peer, from: Side, timeout: number | null): void {
  const n = course.calls.length;
  const call: Call = { from, n, cancel: new AbortController(), settled: 0, answered: false };
  course.calls.push(call);
  const options = { signal: call.cancel.signal, ...(timeout === null ? {} : { timeoutMillis: timeout }) };
  peer.request("ask", { n }, options).then(
    (answer) => {
      call.settled += 1;
      call.answered = true;
      expect(answer).toBe(n);
    },
    (error: unknown) => {
      call.settled += 1;
      expect(error).toBeInstanceOf(Error);
    },
  );
}

interface HeldClock extends Clock {
  advance(millis: number): void;
  timers(): number;
}

/** A clock that moves when told to. */
function heldClock(): HeldClock {
  const due = new Set<{ readonly at: number; readonly run: () => void }>();
  let now = 0;
  return {
    now: () => now,
    after(millis, run) {
      const timer = { at: now + millis, run };
      due.add(timer);
      return () => void due.delete(timer);
    },
    advance(millis) {
      now += millis;
      for (const timer of [...due].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)) {
        if (due.delete(timer)) timer.run();
      }
    },
    timers: () => due.size,
  };
}

async function drained(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
