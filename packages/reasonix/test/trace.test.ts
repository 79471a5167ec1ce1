import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openTrace } from "../src/trace-file.ts";

const folder = mkdtempSync(join(tmpdir(), "reasonix-trace-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[X3] a trace is asked for by name, is its owner's alone, and holds each line at once", () => {
  expect(openTrace({ env: {}, cwd: folder })).toBeNull();
  expect(openTrace({ env: { REASONIX_TRACE: "" }, cwd: folder })).toBeNull();
  const trace = openTrace({ env: { REASONIX_TRACE: "frames.jsonl" }, cwd: folder });
  trace?.('{"frame":1}');
  trace?.('{"frame":2}');
  expect(readFileSync(join(folder, "frames.jsonl"), "utf8")).toBe('{"frame":1}\n{"frame":2}\n');
  expect(statSync(join(folder, "frames.jsonl")).mode & 0o777).toBe(0o600);
});

test("a trace that cannot be written is refused with its name", () => {
  const env = { REASONIX_TRACE: join(folder, "gone", "frames.jsonl") };
  expect(() => openTrace({ env, cwd: folder })).toThrow(
    /^REASONIX_TRACE names .*frames\.jsonl, which cannot be written/,
  );
});
