import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { planSetup, PRESETS } from "../src/commands/setup-plan.ts";
import { parseToml } from "../src/toml.ts";

const deepseek = PRESETS.find((preset) => preset.name === "deepseek");
if (deepseek === undefined) throw new Error("no preset");
const NOTHING = { providerNames: [], hasDefault: false };

describe("what setup writes", () => {
  test("into empty files: key, provider and default model", () => {
    const after = planSetup({ env: "", config: "" }, { preset: deepseek, key: "fixture-key" }, NOTHING);
    expect(after.env).toBe("DEEPSEEK_API_KEY=fixture-key\n");
    expect(parseToml(after.config, "config.toml")).toEqual({
      default_model: "deepseek/deepseek-chat",
      providers: [
        {
          name: "deepseek",
          kind: "openai",
          base_url: "https://api.deepseek.com",
          models: ["deepseek-chat", "deepseek-reasoner"],
          api_key_env: "DEEPSEEK_API_KEY",
        },
      ],
    });
  });

  test("keeps comments, other keys and other settings; replaces its own key in place", () => {
    const before = {
      env: "# mine\nexport DEEPSEEK_API_KEY=old\nOTHER=1",
      config: '# my settings\napprovals = "auto"\n\n[permissions]\ndeny = ["bash"]\n',
    };
    const after = planSetup(before, { preset: deepseek, key: "a key with 'blanks\"" }, NOTHING);
    expect(after.env.split("\n")[0]).toBe("# mine");
    expect(after.env).toContain("\nOTHER=1\n");
    expect(after.env).not.toContain("old");
    expect(after.config).toContain("# my settings\n");
    expect(parseToml(after.config, "config.toml")).toMatchObject({
      default_model: "deepseek/deepseek-chat",
      approvals: "auto",
      permissions: { deny: ["bash"] },
      providers: [{ name: "deepseek" }],
    });
  });

  test("leaves a provider and a default that are there as they are", () => {
    const config = 'default_model = "a/b"\n\n[[providers]]\nname = "deepseek"\nkind = "openai"\nmodels = ["x"]\n';
    const known = { providerNames: ["deepseek"], hasDefault: true };
    const after = planSetup({ env: "", config }, { preset: deepseek, key: "k" }, known);
    expect(after.config).toBe(config);
  });

  test.each(["plain", "with#hash", "with spaces", 'with"double', "a=b", "trailing ", "it's"])(
    "the key %j is read back as it was typed",
    (key) => {
      const after = planSetup({ env: "", config: "" }, { preset: deepseek, key }, NOTHING);
      expect(parseEnv(after.env)["DEEPSEEK_API_KEY"]).toBe(key);
    },
  );
});
