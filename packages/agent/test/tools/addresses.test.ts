import { describe, expect, it } from "vitest";
import { forbiddenRange } from "../../src/tools/addresses.ts";

describe("addresses that web_fetch may reach", () => {
  it.each(["1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e"])(
    "%s is public",
    (address) => {
      expect(forbiddenRange(address)).toBeNull();
    },
  );

  it.each([
    ["127.0.0.1", "loopback"],
    ["169.254.169.254", "linkLocal"],
    ["::ffff:169.254.169.254", "linkLocal"],
    ["::1", "loopback"],
    ["fe80::1", "linkLocal"],
    ["::a9fe:a9fe", "outside of 2000::/3"],
    ["::127.0.0.1", "loopback"],
    ["64:ff9b::a9fe:a9fe", "an address that carries another one"],
    ["nonsense", "no address"],
  ])("%s is not: %s", (address, range) => {
    expect(forbiddenRange(address)).toBe(range);
  });
});
