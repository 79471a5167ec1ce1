import { describe, expect, test } from "vitest";
import { createRedactor, quote } from "../src/index.ts";

describe("[T1] a line that was not understood is quoted so that it can be recognised", () => {
  test.each<readonly [string | Uint8Array, string]>([
    ["[db] Connected to /var/lib/app/data.db\n", '"[db] Connected to /var/lib/app/data.db\\n"'],
    [Buffer.from([0x5b, 0xff, 0x1b, 0x5b, 0x32, 0x4a, 0x00]), '"[\\xff\\x1b[2J\\x00"'],
    [Buffer.from("读\u0085\u2028🎉"), '"读\\x85\\u2028🎉"'],
    [Buffer.from([0xe8, 0xaf]), '"\\xe8\\xaf"'],
    [Buffer.from([0xc0, 0xaf, 0x41]), '"\\xc0\\xafA"'],
    ['say "hi"\t', '"say \\"hi\\"\\t"'],
    ["\u202eevil", '"\\u202eevil"'],
    ["", '""'],
  ])("[case T-01] %j", (input, wanted) => {
    expect(quote(input)).toBe(wanted);
  });

  test("[case T-01] at most 80 bytes, counted as written, never half a character", () => {
    expect(quote("a".repeat(80))).toBe(`"${"a".repeat(80)}"`);
    expect(quote("a".repeat(81))).toBe(`"${"a".repeat(80)}"…`);
    expect(quote("读".repeat(40))).toBe(`"${"读".repeat(26)}"…`);
    expect(quote("\n".repeat(50))).toBe(`"${"\\n".repeat(40)}"…`);
    expect(quote("ab\u0001", { maxBytes: 4 })).toBe('"ab"…');
  });

  test("[X3] secrets go before the cut, so that no half of one is shown", () => {
    const text = `${"x".repeat(70)} ghp_0123456789abcdefABCDEF0123456789abcd`;
    expect(quote(text)).toBe(`"${"x".repeat(70)} [redacted"…`);
    const redactor = createRedactor({ literals: ["plainlookingvalue"] });
    expect(quote("v=plainlookingvalue", { redact: redactor.redact })).toBe('"v=[redacted]"');
  });

  test("[T3] eight megabytes are looked at in part only", () => {
    const input = Buffer.alloc(8_388_608, 0x61);
    expect(quote(input)).toBe(`"${"a".repeat(80)}"…`);
  });
});
