import { parseEnv } from "node:util";
import { describe, expect, test } from "vitest";
import { answerProblem } from "../src/commands/setup.ts";
import { judgeUserConfig } from "../src/config.ts";
import { planSetup, PRESETS } from "../src/commands/setup-plan.ts";
import { parseToml } from "../src/toml.ts";

const deepseek = PRESETS.find((preset) => preset.name === "deepseek");
if (deepseek === undefined) throw new Error("no preset");
const NOTHING = { providers: [] };

/** Plans over a file as it stands. */
function again(config: string): string {
  const data = parseToml(config, "config.toml");
  const { value } = judgeUserConfig(data, "config.toml");
  const known = { providers: value.providers ?? [], defaultModel: value.default_model };
  if (deepseek === undefined) throw new Error("no preset");
  return planSetup({ env: "", config }, { preset: deepseek, key: "k" }, known).config;
}

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

  test("a table of that name is replaced in place, broken or not, and nothing else is touched", () => {
    const ends = '\n# about the next\n[[providers]]\nname = "other"\nkind = "openai"\nmodels = ["m"]\n';
    const broken =
      '[[providers]]\nname = "deepseek"\nkind = "openai"\nbase_url = "nowhere"\n[providers.prices]\ninput = 1\n';
    const config = `# mine\ndefault_model = "other/m"\n\n${broken}${ends}`;
    const after = again(config);
    expect(after.startsWith('# mine\ndefault_model = "other/m"\n\n[[providers]]\nname = "deepseek"\n')).toBe(true);
    expect(after.endsWith(`api_key_env = "DEEPSEEK_API_KEY"\n${ends}`)).toBe(true);
    expect(after).not.toContain("nowhere");
    expect(after).not.toContain("prices");
    expect(again(after)).toBe(after);
  });

  test("a default model that the replaced table no longer offers gives way", () => {
    const config =
      'default_model = "deepseek/old" # why\n[[providers]]\nname = "deepseek"\nkind = "openai"\nmodels = ["old"]\n';
    expect(again(config).split("\n")[0]).toBe('default_model = "deepseek/deepseek-chat"');
  });

  test("a table that is written in another way is left to the person, with the text to put there", () => {
    const config = 'default_model = "a/b"\nproviders = [{ name = "deepseek", kind = "openai", models = ["x"] }]\n';
    expect(() => again(config)).toThrow(
      /cannot replace\. Nothing was changed\. Put this in its place by hand:\n\[\[providers\]\]/,
    );
  });

  test.each([
    [0, "my models!", "wanted a name of letters"],
    [0, "plugin", "the name `plugin` is reserved"],
    [1, "localhost", "base_url is no URL"],
    [1, "ftp://x/v1", "base_url starts with ftp:"],
    [2, " ", "Please type something."],
    [0, "9router", undefined],
    [1, "http://127.0.0.1:8080/v1", undefined],
  ])("the wizard judges answer %i, %j, as the file is read", (question, answer, problem) => {
    const told = answerProblem(question, answer);
    if (problem === undefined) expect(told).toBeUndefined();
    else expect(told).toContain(problem);
  });

  test.each(["plain", "with#hash", "with spaces", 'with"double', "a=b", "trailing ", "it's"])(
    "the key %j is read back as it was typed",
    (key) => {
      const after = planSetup({ env: "", config: "" }, { preset: deepseek, key }, NOTHING);
      expect(parseEnv(after.env)["DEEPSEEK_API_KEY"]).toBe(key);
    },
  );
});
