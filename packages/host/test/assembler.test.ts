import { expect, test } from "vitest";
import { Assembler } from "../src/providers/assembler.ts";
import type { Chunk } from "@reasonix-ts/protocol";

const chunk = (text: string): Chunk => ({ type: "text", text });

/** Numbers go in, `e<n>` is the end; what came out in order, and where it stands. */
function play(script: string): { out: string; missing: number | null; complete: boolean; trouble: string | null } {
  const assembler = new Assembler();
  const out: Chunk[] = [];
  let trouble: string | null = null;
  for (const step of script.split(" ")) {
    const problem = step.startsWith("e")
      ? assembler.end(Number(step.slice(1)))
      : assembler.push(Number(step), chunk(step), out);
    trouble ??= problem?.kind ?? null;
  }
  const { missing, complete } = assembler;
  return { out: out.map(({ text }) => text).join(""), missing, complete, trouble };
}

test.each([
  ["in order", "1 2 3 e3", { out: "123", missing: null, complete: true, trouble: null }],
  ["[case P-01] shuffled and doubled", "2 1 2 4 3 e4", { out: "1234", missing: null, complete: true, trouble: null }],
  ["the end first", "e2 2 1", { out: "12", missing: null, complete: true, trouble: null }],
  ["an empty stream", "e0", { out: "", missing: null, complete: true, trouble: null }],
  ["[case P-02] a hole in the middle", "1 3 e3", { out: "1", missing: 2, complete: false, trouble: null }],
  ["[case P-02] an end after more than came", "1 2 3 e5", { out: "123", missing: 4, complete: false, trouble: null }],
  ["a hole before the end is told", "1 4 3", { out: "1", missing: 2, complete: false, trouble: null }],
  ["waiting for more", "1 2", { out: "12", missing: null, complete: false, trouble: null }],
  ["a number beyond the end", "1 e1 2", { out: "1", missing: null, complete: true, trouble: null }],
  ["one beyond the end that came early", "1 5 e2 2", { out: "12", missing: null, complete: true, trouble: null }],
  ["the same end twice", "1 e1 e1", { out: "1", missing: null, complete: true, trouble: null }],
  ["an end before what came", "1 2 3 e2", { out: "123", missing: null, complete: false, trouble: "wrong_end" }],
  ["two ends", "1 e2 e3", { out: "1", missing: 2, complete: false, trouble: "wrong_end" }],
])("[P3] [P4] %s: %s", (_title, script, expected) => {
  expect(play(script)).toEqual(expected);
});

test("[P4] the first of two chunks with one number counts", () => {
  const assembler = new Assembler();
  const out: Chunk[] = [];
  assembler.push(2, chunk("first"), out);
  assembler.push(2, chunk("second"), out);
  assembler.push(1, chunk("one"), out);
  assembler.push(1, chunk("again"), out);
  expect(out.map(({ text }) => text)).toEqual(["one", "first"]);
});

test("[P4] [case P-02] 1,024 chunks may wait behind a hole, one more is too many, and the hole is named", () => {
  const assembler = new Assembler();
  const out: Chunk[] = [];
  assembler.push(1, chunk("1"), out);
  for (let seq = 3; seq < 3 + 1_024; seq++) expect(assembler.push(seq, chunk("x"), out)).toBeNull();
  expect(assembler.push(2_000, chunk("x"), out)).toMatchObject({ kind: "overflow", missing: 2, chunks: 1_025 });
});

test("[P4] 8 MiB may wait behind a hole, and no more", () => {
  const assembler = new Assembler();
  const out: Chunk[] = [];
  const large = "x".repeat(3 * 1_048_576);
  expect(assembler.push(2, chunk(large), out)).toBeNull();
  expect(assembler.push(3, chunk(large), out)).toBeNull();
  expect(assembler.push(4, chunk(large), out)).toMatchObject({ kind: "overflow", missing: 1, chunks: 3 });
});
