/** The one command that measures what the host adds, and what it makes of figures. */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { resultsPage, tableOf } from "../../bench/run/page.mjs";
import { rowOf } from "../../bench/src/measure/rows.ts";
import { hopsOf } from "../../bench/src/turn/hops.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("[K4] one command measures what a call costs over the pipes against the bare floor, and says so in rows", () => {
  const page = new URL("../../bench/RESULTS.md", import.meta.url);
  const before = statSync(page, { throwIfNoEntry: false })?.mtimeMs;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["bench/run.mjs", "--quick", "--only", "intercept 200 B"],
    { cwd: root, encoding: "utf8", timeout: 120_000 },
  );
  expect(stderr).toContain("bench: wire …");
  expect(stdout).toMatch(/^\| intercept 200 B \| +[\d.,]+ µs \| +floor: [\d.,]+ µs \| +[\d.]+ \| at most 1\.25 \|/m);
  expect(stdout).toMatch(/^3 rows, [0-3] of 3 goals reached$/m);
  expect(status).toBe(0);
  // A short run is no result.
  expect(statSync(page, { throwIfNoEntry: false })?.mtimeMs).toBe(before);
}, 150_000);

test("a row's ratio is the median over the runs of the median over the rounds", () => {
  const rounds = (ratios: readonly number[]) => ratios.map((ratio) => ({ ours: ratio * 10, theirs: 10 }));
  const runs = [rounds([1, 2, 9]), rounds([1, 1, 1]), rounds([3, 3, 9])];
  const row = { row: "r", against: "floor", unit: "ms" } as const;
  expect(rowOf({ ...row, atMost: 2 }, runs)).toEqual({
    ...row,
    ours: 20,
    theirs: 10,
    ratio: 2,
    goal: "at most 2",
    reached: true,
  });
  expect(rowOf({ ...row, atMost: 1.9 }, runs)).toMatchObject({ goal: "at most 1.9", reached: false });
  expect(rowOf({ ...row, atLeast: 2.1 }, runs)).toMatchObject({ goal: "at least 2.1", reached: false });
  expect(rowOf(row, runs)).toMatchObject({ goal: "none", reached: true });
  expect(() => rowOf(row, [])).toThrow("nothing was measured");
});

test("a turn in which a sidecar was not asked is an error and no fast turn", () => {
  const hop = (received: number, replied: number) => ({ event: "tool.before", received, replied });
  const first = { events: 1, hops: [hop(1_000, 2_000), hop(50_000, 51_000)] };
  const second = { events: 2, hops: [hop(5_000, 6_000), hop(58_500, 60_000)] };
  expect(hopsOf([first, second], 2)).toEqual({ micros: [3, 7.5], intercepts: 4, events: 3 });
  expect(() => hopsOf([first, { events: 0, hops: [] }], 2)).toThrow("sidecar 2 was asked 0 times, not 2");
  expect(() => hopsOf([second, first], 2)).toThrow("sidecar 2 was asked before the one in front of it had answered");
});

test("the results page names what was missed, and a program that did not run", () => {
  const row = { row: "a", unit: "µs", ours: 1_200.5, against: "floor", theirs: 1_000, ratio: 1.2 };
  const rows = [
    { ...row, goal: "at most 1.1", reached: false },
    { ...row, row: "b", goal: "none", reached: true },
  ];
  expect(tableOf(rows)).toBe(
    [
      "| row |       ours |         against | ratio | goal        |            |",
      "| --- | ---------: | --------------: | ----: | ----------- | ---------- |",
      "| a   | 1,200.5 µs | floor: 1,000 µs |   1.2 | at most 1.1 | **missed** |",
      "| b   | 1,200.5 µs | floor: 1,000 µs |   1.2 |             |            |",
    ].join("\n"),
  );
  const machine = {
    cores: 2,
    processor: "P",
    memory: "4 GiB",
    system: "linux x64",
    node: "20.0.0",
    load: "0.1",
    commit: "abc",
    day: "2026-01-01",
  };
  const section = { program: { title: "One", method: "How." }, rows, failure: null };
  const failed = { program: { title: "Two", method: "" }, rows: [], failure: "ended with 1 and printed no rows" };
  const page = resultsPage({ sections: [section, failed], machine, loadAtEnd: "2.5" });
  expect(page).toContain("**0 of 1 goals reached.** Missed: a against floor (1.2, at most 1.1).");
  expect(page).toContain(
    "commit abc: P, 2 cores, 4 GiB, linux x64, Node 20.0.0. Load 0.1 when it began, 2.5 when it ended",
  );
  expect(page).toContain("## Two\n\nNot measured: ended with 1 and printed no rows.");
});
