import { describe, expect, it } from "vitest";
import { changeLines } from "../../src/extensions/change-lines.ts";
import { openHome, type Home } from "./support/command.ts";

describe("a change of a payload, as lines", () => {
  const json = (value: unknown): string => JSON.stringify(value);

  it.each([
    ["a text that grew", { before: json("explain"), after: json("explain [why]") }, ["- explain", "+ explain [why]"]],
    [
      "a word in a long text",
      {
        before: json(`${"a".repeat(60)} old ${"z".repeat(60)}`),
        after: json(`${"a".repeat(60)} new ${"z".repeat(60)}`),
      },
      [`- …${"a".repeat(23)} old ${"z".repeat(23)}…`, `+ …${"a".repeat(23)} new ${"z".repeat(23)}…`],
    ],
    ["a member that came", { after: json(0.5) }, ["+ 0.5"]],
    ["a member that went", { before: json(["a"]) }, ['- ["a"]']],
    ["a list", { before: json([1, 2]), after: json([1, 2, 3]) }, ["- [1,2]", "+ [1,2,3]"]],
  ])("%s", (_name, change, lines) => {
    expect(changeLines({ member: "/text", ...change })).toEqual(["/text", ...lines]);
  });

  it("shows at most 160 characters of a side, and says where only a beginning is known", () => {
    const [head, , now] = changeLines({ member: "/m", before: '"a', after: `"${"b".repeat(4_000)}`, cut: true });
    expect(head).toBe("/m (of its beginning)");
    expect(now).toBe(`+ "${"b".repeat(159)}…`);
  });
});

async function withOwner(): Promise<Home> {
  const home = await openHome();
  await home.plugin("loud", "owner.mjs", { replaces: ["provider_response"] });
  await home.plugin("paint", "surfaces.mjs", { intercepts: ["input.receive"], capabilities: ["interceptors", "ui"] });
  await home.plugin("lab", "model.mjs", { capabilities: ["providers"], priority: 5 });
  return home;
}

describe("reasonix extensions", () => {
  it("[case F-01] tells who is loaded with what, and what the last turn changed as a diff", async () => {
    const { reasonix } = await withOwner();
    await reasonix(["run", "hello"]);
    const { code, stdout } = await reasonix(["extensions"]);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines.find((line) => line.startsWith("lab 1.0.0: ready, pid "))).toContain("priority 5");
    for (const line of [
      "  slots: provider_response",
      "  models: plugin/lab/lab/small, plugin/lab/lab/plain",
      "  actions: /paint:greet, /paint:loud",
      "  capabilities: providers",
    ]) {
      expect(lines).toContain(line);
    }
    const at = lines.indexOf("In the last turn:");
    expect(lines[at + 1]).toMatch(/^ {2}loud at provider\.response as owner of provider_response: replace, [\d.]+ ms$/);
    expect(lines.slice(at + 2, at + 5)).toEqual(["    /text", "    - You said: hello", "    + YOU SAID: HELLO"]);
  });

  it("[X3] keeps no secret and no control character of what was changed", async () => {
    const { reasonix, plugin } = await openHome();
    await plugin("paint", "surfaces.mjs", { intercepts: ["input.receive"], capabilities: ["interceptors", "ui"] });
    await reasonix(["run", "leak"]);
    for (const options of [[], ["--json"]]) {
      const { stdout } = await reasonix(["extensions", ...options]);
      expect(stdout).toContain("leaked");
      expect(stdout).not.toContain("0123456789abcdef");
      // oxlint-disable-next-line no-control-regex -- these are what must not come through
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });

  it("[case F-01] doctor runtime tells of each model that cannot be used", async () => {
    const { reasonix, plugin } = await openHome();
    await plugin("lab", "model.mjs", {
      capabilities: ["providers"],
      env: { SERVES: "bad ref/x" },
    });
    const { code, stdout } = await reasonix(["doctor", "runtime", "--json"]);
    expect(code).toBe(0);
    const report: { plugins: { models: string[] }[]; findings: { code: string; subject: string; text: string }[] } =
      JSON.parse(stdout);
    expect(report.plugins[0]?.models).toEqual(["plugin/lab/lab/small", "plugin/lab/lab/plain"]);
    expect(report.findings).toMatchObject([{ code: "runtime_catalogue", subject: "plugin lab" }]);
    expect(report.findings[0]?.text).toContain("/providers/2/ref");
  });
});
