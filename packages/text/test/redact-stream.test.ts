/** Text in pieces gives the same as text in one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../src/index.ts";

const literal = "line one of a secret\nline two of it";
const redactor = createRedactor({ literals: [literal, "plainlookingvalue"] });

function streamed(pieces: readonly string[]): string {
  const stream = redactor.stream();
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

const TEXT = [
  "starting",
  "Authorization: Bearer abc123def456",
  "password=hunter2 and plainlookingvalue here",
  `before ${literal} after`,
  "-----BEGIN PRIVATE KEY-----",
  "MIIEowIBAAKCAQEA",
  "q83vAAAABBBBCCCC",
  "-----END PRIVATE KEY-----",
  "done, key sk-fixture0123456789abcdef",
].join("\n");

const REDACTED_TEXT = [
  "starting",
  "Authorization: Bearer [redacted]",
  "password=[redacted] and [redacted] here",
  "before [redacted] after",
  "[redacted]",
  "done, key [redacted]",
].join("\n");

describe("[X3] a secret split over writes", () => {
  test("[case X-01] split at every place in turn", () => {
    for (let at = 0; at <= TEXT.length; at++) expect(streamed([TEXT.slice(0, at), TEXT.slice(at)])).toBe(REDACTED_TEXT);
  });

  test("[X3] one character at a time", () => {
    expect(streamed(TEXT.split(""))).toBe(REDACTED_TEXT);
  });

  test("[X3] in pieces of any sizes", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 }), (sizes) => {
        const pieces: string[] = [];
        for (let at = 0, i = 0; at < TEXT.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          pieces.push(TEXT.slice(at, at + size));
          at += size;
        }
        expect(streamed(pieces)).toBe(REDACTED_TEXT);
      }),
      { numRuns: 200 },
    );
  });

  test("[X3] whole lines come out at once, an unfinished one waits", () => {
    const stream = createRedactor().stream();
    expect(stream.push("one\ntw")).toBe("one\n");
    expect(stream.push("o\n")).toBe("two\n");
    expect(stream.push("token=ab")).toBe("");
    expect(stream.push("cd\nnext")).toBe("token=[redacted]\n");
    expect(stream.end()).toBe("next");
    expect(stream.end()).toBe("");
  });

  test("[X3] a line without end is held back within bounds and comes out whole", () => {
    const stream = createRedactor().stream();
    const words = "word ".repeat(60_000);
    let out = "";
    let mostHeld = 0;
    for (let at = 0; at < words.length; at += 500) {
      out += stream.push(words.slice(at, at + 500));
      mostHeld = Math.max(mostHeld, at + 500 - out.length);
    }
    out += stream.end();
    expect(out).toBe(words);
    expect(mostHeld).toBeLessThan(64 * 1_024);
  });

  test.each([
    ["token=abc123", "token=[redacted]"],
    ["Cookie: abc", "Cookie: [redacted]"],
    ["--password abc", "--password [redacted]"],
    ["Authorization: Bearer abcd1234", "Authorization: Bearer [redacted]"],
    ["sk-fixture0123456789", "[redacted]"],
    ["plainlookingvalue", "[redacted]"],
  ])("[X3] %j in the middle of a line without end is caught wherever the cut falls", (secret, wanted) => {
    // The hold-back is 32 KiB: the line is cut some 8 KiB before that, at a place that moves over the secret.
    for (let filler = 24_400; filler < 24_640; filler++) {
      const line = `${"words ".repeat(4_000)}${"x".repeat(filler - 24_000)} ${secret}\t"${" word".repeat(4_000)}`;
      const stream = redactor.stream();
      let out = "";
      for (let at = 0; at < line.length; at += 32_800) out += stream.push(line.slice(at, at + 32_800));
      out += stream.end();
      expect(out.slice(23_900, 25_000)).toBe(line.replace(secret, wanted).slice(23_900, 25_000));
      expect(out.endsWith(" word word")).toBe(true);
    }
  });

  test.each([
    [`Cookie: 9f86d081${literal}\nx`, "Cookie: [redacted]\nx"],
    [`Authorization: "}${literal}${literal}`, 'Authorization: "[redacted]'],
  ])("[X3] a name keeps its secret when a literal of several lines follows: %j", (whole, wanted) => {
    expect(redactor.redact(whole)).toBe(wanted);
    for (let size = 1; size < 40; size++) {
      const pieces: string[] = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
      expect(streamed(pieces)).toBe(wanted);
    }
  });

  test("[X3] a secret longer than the hold-back is replaced once, and the text after it is kept", () => {
    const stream = createRedactor().stream();
    let out = stream.push("a token=");
    for (let i = 0; i < 100; i++) out += stream.push("0123456789".repeat(100));
    out += stream.push(" and more\nlast");
    out += stream.end();
    expect(out).toBe("a token=[redacted] and more\nlast");
  });

  test("[X3] a key longer than the hold-back lets nothing of itself out", () => {
    const stream = createRedactor().stream();
    let out = stream.push("a\n-----BEGIN PRIVATE KEY-----\n");
    for (let i = 0; i < 1_500; i++) out += stream.push("MIIEowIBAAKCAQEAq83vAAAABBBBCCCC\n");
    out += stream.push("-----END PRIVATE KEY-----\n!b\n");
    out += stream.end();
    expect(out).not.toContain("MII");
    expect(out.startsWith("a\n[redacted]")).toBe(true);
    expect(out.endsWith("!b\n")).toBe(true);
  });

  const fragment = fc.constantFrom(
    ..."\n|\n|\n| | |\"|'|\\|:|=|: |,|{|}|a|word|9f86d081|token|password|--token|-p|api_key|Cookie: |Authorization: |Bearer |Basic ".split(
      "|",
    ),
    ..."abc123|hunter22|sk-fixture0123456789|ghp_0123456789abcdefAB|https://|u:p@h.test|MIIEowIBAAKCAQEA|plainlookingvalue|é读🎉".split(
      "|",
    ),
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    literal,
  );
  const text = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(""));

  test("[X3] any text gives the same in pieces as in one, where no private key is cut off", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, size) => {
        fc.pre(!whole.includes("PRIVATE KEY"));
        const pieces: string[] = [];
        for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
        expect(streamed(pieces)).toBe(redactor.redact(whole));
      }),
      { numRuns: 1_000 },
    );
  });

  test("[X3] no literal value and no token ever comes through, whatever stands around it", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 30 }), (before, after, size) => {
        const whole = `${before} plainlookingvalue ghp_0123456789abcdefABCD ${after}`;
        const pieces: string[] = [];
        for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
        for (const out of [redactor.redact(whole), streamed(pieces)]) {
          expect(out).not.toContain("plainlookingvalue");
          expect(out).not.toContain("ghp_0123456789abcdefABCD");
          expect(out).not.toContain(literal);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
