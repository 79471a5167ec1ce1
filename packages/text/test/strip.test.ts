import { describe, expect, test } from "vitest";
import { oneLine, stripControls } from "../src/index.ts";

describe("[U3] text of others cannot act on a terminal", () => {
  test.each([
    ["ok\u001b]52;c;aGk=\u0007", "ok"],
    ["\u001b[2J\u001b[10Ahi", "hi"],
    ["\u001b]8;;http://x.test\u0007hi\u001b]8;;\u0007", "hi"],
    ["\u001b]8;;http://x.test\u001b\\hi\u001b]8;;\u001b\\", "hi"],
    ["\u009b2Jhi", "hi"],
    ["\u009d0;title\u009chi", "hi"],
    ["\u001b]0;fake title\u0007real", "real"],
    ["\u001bP1$r0m\u001b\\x", "x"],
    ["\u001b[38;2;1;2;3mred\u001b[0m", "red"],
    ["a\u001b(Bb\u001b7c\u001bMd", "abcd"],
    ["a\u0000b\u0008c\u007fd\u0085e", "abcde"],
    ["one\r\ntwo\rthree\ttab\n", "one\ntwothree\ttab\n"],
    ["a\u202eb\u202ac\u2066d\u2069e\u200bf\u2060g\ufeffh", "abcdefgh"],
  ])("[case U-02] %j", (text, wanted) => {
    expect(stripControls(text)).toBe(wanted);
  });

  test.each([
    ["before\u001b]unfinished and more text", "beforeunfinished and more text"],
    ["\u001b]", ""],
    ["x\u001b]0;title\nsecond line", "x0;title\nsecond line"],
    ["x\u009d0;title\nsecond line\u0007", "x0;title\nsecond line"],
    ["x\u001bPdata\nmore\u001b\\", "xdata\nmore"],
    ["x\u001b[", "x"],
    ["x\u001b[12", "x12"],
    ["x\u001b", "x"],
    ["\u001b]0;a\u001b]0;b\u0007c", "0;ac"],
  ])("[case U-02] an unterminated sequence swallows no text: %j", (text, wanted) => {
    expect(stripControls(text)).toBe(wanted);
  });

  test.each([["👩‍👩‍👧"], ["می‌خواهم"], ["a\u200eb\u200fc"], ["tab\tand\nline"], ["naïve 读 [2J"]])(
    "[case U-02] scripts keep what they need: %j",
    (text) => {
      expect(stripControls(text)).toBe(text);
    },
  );

  test("[U3] nothing of C0, C1 or the overrides is ever left, but newline and tab", () => {
    const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
    const pairs = all.slice(0, 0x100).flatMap((first) => all.slice(0, 0x100).map((second) => first + second));
    // oxlint-disable-next-line no-control-regex -- the characters under test
    const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/;
    expect([...all, ...pairs].filter((text) => forbidden.test(stripControls(text)))).toEqual([]);
  });

  test.each([["\u001b]"], ["\u001b["], ["\u009d"], ["\u001b[0;"], ["\u001bP"]])(
    "[U3] linear on %j repeated",
    (piece) => {
      const millis = (count: number): number => {
        const text = piece.repeat(count);
        const before = performance.now();
        stripControls(text);
        return performance.now() - before;
      };
      millis(50_000);
      expect(millis(200_000)).toBeLessThan(Math.max(10 * millis(50_000), 1_000));
    },
  );

  test("[U3] a title is one line", () => {
    expect(oneLine(" a\r\nb\t\tc\u2028d \u001b[1m")).toBe("a b c d");
  });
});
