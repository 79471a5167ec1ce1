import { describe, expect, test } from "vitest";
import { didYouMean, formatBytes, formatMillis, nearMiss } from "../src/index.ts";

const POINTS = ["input.receive", "tool.before", "tool.after", "session.start", "session.save"];

describe("[M2] did you mean", () => {
  test.each([
    ["tool.befor", "tool.before"],
    ["toolBefore", "tool.before"],
    ["tool_after", "tool.after"],
    ["input.recieve", "input.receive"],
    ["SESSION.START", "session.start"],
    ["session.safe", "session.save"],
    ["frontend.event", null],
    ["xyz", null],
    ["", null],
    ["tool.before", null],
    ["t".repeat(10_000), null],
  ])("%j gives %j", (word, wanted) => {
    expect(nearMiss(word, POINTS)).toBe(wanted);
  });

  test("short words allow few errors", () => {
    expect(nearMiss("ui", ["id", "ux"])).toBe(null);
    expect(nearMiss("nmae", ["name", "mode"])).toBe("name");
    expect(nearMiss("comand", ["commands", "command"])).toBe("command");
  });

  test("the tail of an error text", () => {
    expect(didYouMean("argz", ["args", "env"])).toBe(' Did you mean "args"?');
    expect(didYouMean("zzz", ["args", "env"])).toBe("");
  });
});

describe("[T3] sizes and times people read", () => {
  test.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [1_023, "1023 bytes"],
    [1_024, "1 KiB"],
    [65_536, "64 KiB"],
    [8_388_608, "8 MiB"],
    [8_388_609, "8 MiB"],
    [26_476_544, "25.3 MiB"],
    [1_048_575, "1 MiB"],
    [5_000_000_000_000, "4.5 TiB"],
  ])("%d bytes", (bytes, wanted) => {
    expect(formatBytes(bytes)).toBe(wanted);
  });

  test.each([
    [0.44, "0.4 ms"],
    [9.96, "10 ms"],
    [37.4, "37 ms"],
    [999.6, "1 s"],
    [5_230, "5.2 s"],
    [60_000, "1 min"],
    [125_000, "2 min 5 s"],
  ])("%d ms", (millis, wanted) => {
    expect(formatMillis(millis)).toBe(wanted);
  });
});
