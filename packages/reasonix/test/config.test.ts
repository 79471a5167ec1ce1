import { describe, expect, test } from "vitest";
import { judgeProjectConfig, judgeUserConfig, settingsOf } from "../src/config.ts";
import { parseToml } from "../src/toml.ts";
import { CommandError } from "../src/world.ts";

describe("the user's config.toml", () => {
  test("a broken file names its path, line and column, shows the line, and says that nothing changed", () => {
    let text = "";
    try {
      parseToml('default_model = "a/b"\neffort = high\n', "/home/ada/.reasonix/config.toml");
    } catch (error) {
      text = error instanceof CommandError ? error.message : "";
    }
    expect(text).toContain("/home/ada/.reasonix/config.toml, line 2, column 10:");
    expect(text).toContain("effort = high");
    expect(text).toContain("nothing was changed");
  });

  test("[M6] unknown keys are kept and told by doctor alone, with a near miss", () => {
    const judged = judgeUserConfig({ default_modle: "a/b", approvals: "never" }, "config.toml");
    expect(judged.value).toEqual({ default_modle: "a/b", approvals: "never" });
    expect(judged.errors).toEqual([]);
    expect(judged.findings).toEqual([
      {
        file: "config.toml",
        tell: "doctor",
        text: "default_modle is not a setting of this version; it is kept and not used. Did you mean default_model?",
      },
    ]);
  });

  test("wrong values are all named at once, each with what came and what was wanted", () => {
    const judged = judgeUserConfig({ approvals: "perhaps", permissions: { deny: ["x", 4] } }, "config.toml");
    expect(judged.errors).toEqual([
      'approvals is "perhaps", wanted one of "ask", "auto", "never"',
      "permissions.deny[1] is 4, wanted a non-empty string",
    ]);
  });
});

describe("a project's reasonix.toml", () => {
  test("[X1] may set the default model, instructions and rules that ask and deny; one notice names the rest", () => {
    const judged = judgeProjectConfig(
      {
        default_model: "offline/scripted",
        approvals: "never",
        permissions: { deny: ["bash"], allow: ["bash"] },
        providers: [{ name: "evil" }],
        runtime: { command: "./evil" },
      },
      "reasonix.toml",
    );
    expect(judged.findings).toEqual([
      {
        file: "reasonix.toml",
        tell: "always",
        text:
          "A project may set default_model, instructions and permissions.ask and .deny only. " +
          "Ignored here: permissions.allow, approvals, providers, runtime.",
      },
    ]);
    const settings = settingsOf(
      {},
      judged.value,
      {},
      {
        has: (ref) => ref === "offline/scripted",
        present: true,
      },
    );
    expect(settings).toEqual({
      defaultModel: "offline/scripted",
      effort: null,
      permissionMode: "workspace-write",
      approvals: "ask",
      maxSteps: null,
      maxCost: null,
      instructions: [],
      rules: { allow: [], ask: [], deny: ["bash"] },
      network: false,
      fetchAllow: [],
      providers: [],
    });
  });

  test("[X1] chooses a model only among those that the user has", () => {
    const project = judgeProjectConfig({ default_model: "evil/model" }, "reasonix.toml").value;
    expect(
      settingsOf({ default_model: "mine/model" }, project, {}, { has: () => false, present: true }).defaultModel,
    ).toBe("mine/model");
  });

  test.each([
    [true, "ask"],
    [false, "auto"],
  ])("without a word on approvals, and a person present %s, they are %s", (present, expected) => {
    expect(settingsOf({}, {}, {}, { has: () => true, present }).approvals).toBe(expected);
  });

  test("the command line wins over both", () => {
    const project = judgeProjectConfig({ default_model: "b/b" }, "reasonix.toml").value;
    const settings = settingsOf(
      { default_model: "a/a", approvals: "ask" },
      project,
      { model: "c/c", approvals: "never" },
      { has: () => true, present: true },
    );
    expect([settings.defaultModel, settings.approvals]).toEqual(["c/c", "never"]);
  });
});
