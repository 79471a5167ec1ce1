/** Bytes to lines: every cut, every line end, the cap to the byte, in linear time. */
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameReader, portableCodec, type FrameFault, type TextCodec } from "../src/index.ts";
import { nodeCodec } from "../src/node/stdio.ts";

const codecs: readonly (readonly [string, TextCodec])[] = [
  ["portable", portableCodec],
  ["node", nodeCodec],
];

interface Outcome {
  readonly lines: readonly string[];
  readonly fault: FrameFault | undefined;
  readonly rest: Uint8Array | undefined;
}

function read(codec: TextCodec, pieces: Iterable<Uint8Array>, limit = 8_388_608): Outcome {
  const lines: string[] = [];
  let fault: FrameFault | undefined;
  const reader = new FrameReader(codec, limit, {
    frame: (text) => lines.push(text) > 0,
    fault: (found) => {
      expect(fault).toBeUndefined();
      fault = found;
    },
  });
  for (const piece of pieces) reader.push(piece);
  return { lines, fault, rest: reader.end() };
}

function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

describe.each(codecs)("the frame reader, %s codec", (_name, codec) => {
  it("[T1] [case T-03] joins bytes before it decodes, and splits at LF alone", () => {
    const text = '{"version":"读—🎉\u2028\u0085"}';
    const bytes = Buffer.from(`${text}\n`);
    for (const size of [1, 2, 3, 5, 64]) expect(read(codec, cut(bytes, size)).lines).toEqual([text]);
  });

  it("[T1] [case T-04] accepts CRLF and skips blank lines, in every cut", () => {
    const bytes = Buffer.from('\r\n{"a":1}\r\n\n\n{"b":"\r"}\n\r\n{"c":\r1}\r\n');
    for (let size = 1; size <= bytes.length; size += 1) {
      expect(read(codec, cut(bytes, size)).lines).toEqual(['{"a":1}', '{"b":"\r"}', '{"c":\r1}']);
    }
  });

  it("[T3] [case T-05] caps a frame by its bytes, line end not counted", () => {
    const limit = 32;
    const fill = (bytes: number, unit: string): string =>
      unit.repeat(Math.floor(bytes / Buffer.byteLength(unit))) + "x".repeat(bytes % Buffer.byteLength(unit));
    for (const unit of ["x", "é", "读", "🎉"]) {
      for (const lineEnd of ["\n", "\r\n"]) {
        for (const size of [1, 7, 1_000]) {
          const outcomes = [31, 32, 33].map((bytes) =>
            read(codec, cut(Buffer.from(fill(bytes, unit) + lineEnd), size), limit),
          );
          expect(outcomes.map(({ lines }) => lines.length)).toEqual([1, 1, 0]);
          expect(outcomes.map(({ fault }) => fault?.kind)).toEqual([undefined, undefined, "too_large"]);
          expect(outcomes[2]?.fault).toMatchObject({ bytes: 33 });
        }
      }
    }
  });

  it("[T3] refuses before it holds more than the cap", () => {
    const endless = new Uint8Array(10).fill(120);
    const { fault, rest } = read(codec, [endless, endless, endless, endless], 32);
    expect(fault).toEqual({ kind: "too_large", bytes: 40, complete: false });
    expect(rest).toBeUndefined();
  });

  it("[T3] gives the whole size when the end is there", () => {
    const { lines, fault } = read(codec, [Buffer.from(`{}\n${"x".repeat(40)}\n{}\n`)], 32);
    expect(lines).toEqual(["{}"]);
    expect(fault).toEqual({ kind: "too_large", bytes: 40, complete: true });
  });

  it("[T1] is strict about UTF-8", () => {
    const bad = [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe8, 0xaf]];
    for (const bytes of bad) {
      for (const padding of [0, 500, 5_000]) {
        const line = Buffer.concat([Buffer.alloc(padding, "a"), Buffer.from(bytes), Buffer.from("\n")]);
        const { lines, fault } = read(codec, [line]);
        expect(lines).toEqual([]);
        expect(fault?.kind).toBe("not_utf8");
      }
    }
    expect(read(codec, [Buffer.from("\uFFFD\uFEFF\n")]).lines).toEqual(["\uFFFD\uFEFF"]);
  });

  it("[T1] reports half a frame at the end of input", () => {
    const { lines, rest } = read(codec, [Buffer.from('{"a":1}\n{"b"')]);
    expect(lines).toEqual(['{"a":1}']);
    expect(Buffer.from(rest ?? []).toString()).toBe('{"b"');
  });

  it("[T1] stops when told, and goes on where it stopped", () => {
    const lines: string[] = [];
    const reader = new FrameReader(codec, 100, {
      frame: (text) => lines.push(text) % 2 === 1,
      fault: () => expect.unreachable(),
    });
    reader.push(Buffer.from("1\n2\n3\n4\n5"));
    reader.push(Buffer.from("\n6\n7\n"));
    expect(lines).toEqual(["1", "2"]);
    reader.resume();
    expect(lines).toEqual(["1", "2", "3", "4"]);
    reader.resume();
    expect(lines).toEqual(["1", "2", "3", "4", "5", "6"]);
    reader.resume();
    expect(lines).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    expect(reader.stopped).toBe(false);
  });

  it("[T1] reads any text in any pieces as splitting at LF would", () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("\n", "\r\n", "\r", "\u2028", "\u0085", "x".repeat(600), "读".repeat(300)),
      ),
    );
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (parts, sizes) => {
        const whole = parts.join("");
        const bytes = Buffer.from(whole);
        const pieces: Uint8Array[] = [];
        for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(bytes.subarray(start, start + size));
          start += size;
        }
        const wanted = whole.split("\n");
        const last = wanted.pop() ?? "";
        const { lines, fault, rest } = read(codec, pieces);
        expect(fault).toBeUndefined();
        expect(lines).toEqual(wanted.map((line) => line.replace(/\r$/, "")).filter((line) => line !== ""));
        expect(Buffer.from(rest ?? []).toString()).toBe(last);
      }),
      { numRuns: 300 },
    );
  });
});

describe("the two codecs", () => {
  it("[T1] agree on all bytes", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, fc.constantFrom(0, 500), (some, padding) => {
        const line = Buffer.concat([Buffer.alloc(padding, "a"), some]);
        expect(nodeCodec.decode(line, 0, line.length)).toBe(portableCodec.decode(line, 0, line.length));
      }),
      { numRuns: 2_000 },
    );
  });

  it("[T3] agree on the length of all texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("", "\uD800", "\uDC00"), (text, lone) => {
        expect(nodeCodec.byteLength(text + lone)).toBe(portableCodec.byteLength(text + lone));
      }),
    );
  });
});

describe("the corpus", () => {
  const folder = new URL("corpus/", import.meta.url);
  it.each(readdirSync(folder))("[T1] %s", (name) => {
    const bytes = readFileSync(new URL(name, folder));
    const whole = read(nodeCodec, [bytes], 4_096);
    for (const [, codec] of codecs) {
      for (const size of [1, 2, 3, 7, 1_024]) {
        const { lines, fault, rest } = read(codec, cut(bytes, size), 4_096);
        expect([lines, fault?.kind, rest?.length]).toEqual([whole.lines, whole.fault?.kind, whole.rest?.length]);
      }
    }
  });
});

describe("linear time", () => {
  const frame = Buffer.from(`"${"x".repeat(8_388_606)}"\n`);

  /** Pieces copied and looked at, in milliseconds; only ever compared with a bound ten times too large. */
  function millis(pieces: Iterable<Uint8Array>): number {
    const started = performance.now();
    read(nodeCodec, pieces);
    return performance.now() - started;
  }

  it("[case F-02] [T3] takes 8 MiB in 1 KiB pieces, and one byte at a time", () => {
    expect(read(nodeCodec, cut(frame, 1_024)).lines.map((line) => line.length)).toEqual([8_388_608]);
    expect(millis(cut(frame, 1_024))).toBeLessThan(3_000);
    expect(read(nodeCodec, cut(frame.subarray(6_000_000), 1)).lines.map((line) => line.length)).toEqual([2_388_608]);
  });

  it("[case F-02] takes 100,000 frames in one piece", () => {
    const many = Buffer.from('{"jsonrpc":"2.0","method":"m"}\n'.repeat(100_000));
    expect(read(nodeCodec, [many]).lines.length).toBe(100_000);
    expect(millis([many])).toBeLessThan(3_000);
  });

  it("[case F-02] holds nothing when idle", () => {
    const before = process.memoryUsage().arrayBuffers;
    const reader = new FrameReader(nodeCodec, 8_388_608, { frame: () => true, fault: () => expect.unreachable() });
    for (const piece of cut(frame, 65_536)) reader.push(piece);
    globalThis.gc?.();
    reader.push(Buffer.from("{}\n"));
    // Without a collector to call, allocate until the old buffers are let go.
    for (let round = 0; round < 200 && process.memoryUsage().arrayBuffers - before > 2_000_000; round += 1) {
      new Uint8Array(1_000_000).fill(1);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(6_000_000);
    expect(reader.end()).toBeUndefined();
  });
});
