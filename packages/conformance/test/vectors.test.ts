/** The vectors hold for our peers, for the referee's own, and for the contract's schemas. */
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import * as protocol from "@reasonix-ts/protocol";
import { createPair } from "@reasonix-ts/rpc";
import { describe, expect, test } from "vitest";
import { LineCutter } from "../src/wire/lines.ts";
import { readFrame } from "../src/wire/frame.ts";
import { bytesOf, readVectors } from "./support/vectors.ts";

const { frames, dtos, content } = readVectors();

describe.each([1, 7, 65_536])("cut into pieces of %i bytes", (size) => {
  const small = frames.vectors.filter((vector) => size > 7 || vector.repeat === undefined);

  test.each(small)("[T1] [T3] [T4] [case T-03] [case T-05] [case T-09] our peer: $name", async (vector) => {
    const heard: object[] = [];
    const { left, link } = createPair({ inspect: (message) => void heard.push(message) });
    for (const piece of pieces(bytesOf(vector), size)) link.inject("right", piece);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard.filter((message) => !("what" in message))).toMatchObject(vector.messages);
    expect(left.reason?.kind ?? "open").toBe(vector.end);
    left.close();
  });

  test.each(small)("[T1] [T3] the referee's own reader: $name", (vector) => {
    const heard: object[] = [];
    let end = "open";
    const cutter = new LineCutter(frames.limit, (line) => {
      if (line.kind === "oversize") {
        end = "frame_too_large";
        return;
      }
      const reading = readFrame(line.bytes);
      if (reading.kind === "broken") end = "protocol_error";
      if (reading.kind === "frame") heard.push(reading.frame);
    });
    for (const piece of pieces(bytesOf(vector), size)) cutter.push(piece);
    expect(heard).toMatchObject(vector.messages);
    expect(end).toBe(vector.end);
  });
});

test.each(dtos.vectors)("[T5] [case L-08] $schema $value has the problems $problems", ({ schema, value, problems }) => {
  const found = Object.entries(protocol).find(([name]) => name === schema)?.[1];
  if (typeof found !== "object" || !("check" in found)) throw new Error(`there is no schema ${schema}`);
  const decoded = protocol.decode<unknown>(found, structuredClone(value));
  const paths = decoded.ok ? [] : decoded.problems.map(({ path }) => path);
  expect(paths.toSorted()).toEqual(problems.toSorted());
});

test.each(content.vectors)(
  "[C2] [C3] the pages of $name add up to it",
  ({ text, times, totalBytes, sha256, pages }) => {
    const whole = Buffer.from(text.repeat(times));
    expect(whole.length).toBe(totalBytes);
    expect(hash(whole)).toBe(sha256);
    for (const page of pages) {
      const bytes = whole.subarray(page.offset, page.offset + content.pageBytes);
      expect([bytes.length, hash(bytes)]).toEqual([page.bytes, page.sha256]);
      expect(page.nextOffset).toBe(page.offset + page.bytes < totalBytes ? page.offset + page.bytes : undefined);
    }
  },
);

test("every file of vectors is read here or by the tests of host and sidecars", () => {
  const files = ["frames", "dtos", "content", "streams"];
  for (const name of files) {
    const file = new URL(`../vectors/${name}.json`, import.meta.url);
    expect(JSON.parse(readFileSync(file, "utf8")).about).toMatch(/\.$/);
  }
});

function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

function hash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
