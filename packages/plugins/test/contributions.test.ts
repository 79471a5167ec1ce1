import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  expandTemplate,
  hookMatches,
  installedContributions,
  installPlugins,
  type Contributions,
} from "../src/index.ts";
import { judgeTheme } from "../src/contributes/themes.ts";
import { expandScript } from "../src/contributes/root-variables.ts";
import { bench, temporary, V2, write, type Files } from "./support/workbench.ts";

async function contributionsOf(files: Files, more: object = {}): Promise<Contributions & { readonly home: string }> {
  const { home, place, request } = bench(more);
  const report = await installPlugins(request(write(temporary(), files)), place);
  expect(report.applied).toBe(true);
  return { ...(await installedContributions(home)), home };
}

const manifest = (more: object): object => ({ apiVersion: V2, name: "kit", version: "1.0.0", ...more });

describe("skills", () => {
  it("[M3] [case M-10] the root as skill path is one skill; .git and node_modules are neither scanned nor copied", async () => {
    const { skills, problems, home } = await contributionsOf({
      "reasonix-plugin.json": manifest({ contributes: { skills: ["."] } }),
      "SKILL.md": "\ufeff---\nname: init\ndescription: Starts a project\nargument-hint: [name]\n---\nDo it.\n",
      "deep/SKILL.md": "never a skill of its own",
      ".git/hooks/post-checkout!": "#!/bin/sh\n",
      "node_modules/dep/SKILL.md": "no",
    });
    expect(problems).toEqual([]);
    expect(skills).toEqual([
      {
        plugin: "kit",
        name: "init",
        description: "Starts a project",
        argumentHint: "[name]",
        file: path.join(home, "plugins/kit/SKILL.md"),
        folder: path.join(home, "plugins/kit"),
        body: "Do it.\n",
      },
    ]);
    const copied = execFileSync("find", [path.join(home, "plugins/kit"), "-type", "f"], { encoding: "utf8" });
    expect(
      copied
        .trim()
        .split("\n")
        .map((file) => path.relative(path.join(home, "plugins/kit"), file))
        .sort(),
    ).toEqual(["SKILL.md", "deep/SKILL.md", "reasonix-plugin.json"]);
  });

  it("[M3] finds skills in folders, and reads a description that is no YAML", async () => {
    const { skills, problems } = await contributionsOf({
      "reasonix-plugin.json": manifest({ skills: "skills" }),
      "skills/a/SKILL.md": "---\ndescription: Use when: always\n---\nA",
      "skills/b/SKILL.md": "no head",
      "skills/b/reference/SKILL.md": "part of b",
    });
    expect(skills.map(({ name, description, body }) => [name, description, body])).toEqual([
      ["a", "Use when: always", "A"],
      ["b", "", "no head"],
    ]);
    expect(problems).toMatchObject([{ plugin: "kit", entry: "skills/a/SKILL.md", severity: "warning" }]);
  });

  it("[M3] a path that is not there or leads out is a problem of its own", async () => {
    const source = write(temporary(), {
      "reasonix-plugin.json": manifest({ skills: ["gone", "out"], commands: "commands" }),
      "commands/hi.md": "hi",
    });
    symlinkSync("/etc", path.join(source, "out"));
    const { home, place, request } = bench();
    await installPlugins(request(source, { link: true }), place);
    const { skills, commands, problems } = await installedContributions(home);
    expect(skills).toEqual([]);
    expect(commands.map(({ name }) => name)).toEqual(["hi"]);
    expect(problems.map(({ entry, problem }) => `${entry}: ${problem}`)).toEqual([
      "gone: gone does not exist",
      "out: out is a link that leads out of the package",
    ]);
  });
});

describe("commands, prompts and agents", () => {
  it("[M3] [M5] [case M-11] a hidden folder is read where it is named, and nothing else below it", async () => {
    const { commands, prompts, agents, hooks } = await contributionsOf({
      "reasonix-plugin.json": {
        apiVersion: V2,
        name: "eng-skills",
        contributes: { commands: [".claude/commands"], prompts: ["prompts/*.md"], agents: ["agents"] },
      },
      ".claude/commands/plan.md": "---\ndescription: Plans\nargument-hint: <topic>\n---\nPlan $ARGUMENTS",
      ".claude/commands/README.md": "not a command",
      ".claude/settings.json": { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "evil" }] }] } },
      "prompts/review.md": "Review $1 against $2",
      "prompts/deep/no.md": "the glob names one level",
      "agents/tester.md": "---\nname: tester\ndescription: Tests\ntools: Read, Bash\nmodel: haiku\n---\nYou test.",
    });
    expect(commands).toMatchObject([
      { plugin: "eng-skills", name: "plan", description: "Plans", argumentHint: "<topic>", body: "Plan $ARGUMENTS" },
    ]);
    expect(prompts.map(({ name }) => name)).toEqual(["review"]);
    expect(agents).toMatchObject([{ name: "tester", tools: ["Read", "Bash"], model: "haiku", body: "You test." }]);
    expect(hooks).toEqual([]);
  });

  it.each([
    ["Plan $ARGUMENTS now", "a b", "Plan a b now"],
    ["$1 then $2, $3.", `one "two words"`, "one then two words, ."],
    ["$10 and $1", "a", " and a"],
    ["Costs $5", "", "Costs "],
    ["$ARGUMENTS", "$1 $ARGUMENTS", "$1 $ARGUMENTS"],
    ["$ARGUMENTSX stays", "a", "$ARGUMENTSX stays\n\na"],
    ["No place.\n", "more", "No place.\n\nmore"],
    ["No place.", " ", "No place."],
  ])("[M5] %j with %j is %j", (body, typed, expected) => {
    expect(expandTemplate(body, typed)).toBe(expected);
  });
});

describe("hooks", () => {
  it("[M3] [case M-14] exec and shell form, filter, time and environment", async () => {
    const { hooks, home, problems } = await contributionsOf({
      "reasonix-plugin.json": manifest({
        hooks: {
          PreToolUse: [
            {
              match: "bash|write_file",
              command: "hooks/guard",
              args: ["${REASONIX_PLUGIN_ROOT}", "$HOME"],
              timeout: 1_500,
            },
            {
              match: "*",
              command: "printf ready && ./x",
              shell: "bash",
              async: true,
              env: { AT: "${REASONIX_PLUGIN_ROOT}" },
            },
          ],
          SessionStart: [{ contextFile: "notes.md" }, { contextFile: "gone.md" }],
        },
      }),
      "hooks/guard!": "#!/bin/sh\n",
      "notes.md": "n",
    });
    const root = path.join(home, "plugins/kit");
    const common = { plugin: "kit", description: "", dialect: "reasonix" };
    expect(hooks).toEqual([
      {
        ...common,
        event: "PreToolUse",
        match: "bash|write_file",
        action: { type: "exec", command: `${root}/hooks/guard`, args: [root, "$HOME"], cwd: null },
        timeoutMillis: 1_500,
        async: false,
        env: {},
        entry: "hooks/PreToolUse/0",
      },
      {
        ...common,
        event: "PreToolUse",
        match: null,
        action: { type: "shell", shell: "bash", script: "printf ready && ./x", cwd: null },
        timeoutMillis: null,
        async: true,
        env: { AT: root },
        entry: "hooks/PreToolUse/1",
      },
      {
        ...common,
        event: "SessionStart",
        match: null,
        action: { type: "context", file: `${root}/notes.md` },
        timeoutMillis: null,
        async: false,
        env: {},
        entry: "hooks/SessionStart/0",
      },
    ]);
    expect(problems.map(({ entry, problem }) => `${entry}: ${problem}`)).toEqual([
      "hooks/SessionStart/1: gone.md does not exist",
    ]);
  });

  it.each([
    ["bash", "reasonix", "bash", true],
    ["bash", "reasonix", "bash_extra", false],
    ["bash", "reasonix", "xbash", false],
    ["a|b", "reasonix", "xb", false],
    ["mcp__.*", "reasonix", "mcp__github__search", true],
    ["Bash|Write", "claude", "write_file", true],
    ["Edit", "claude", "write_file", false],
    ["KillShell", "claude", "job_kill", true],
    ["bash", "claude", "bash", false],
  ] as const)("[M3] [case M-14] the filter %j (%s) takes %s: %s", (match, dialect, tool, expected) => {
    expect(hookMatches({ match, dialect }, tool)).toBe(expected);
  });
});

describe("a root with spaces and signs", () => {
  it("[M3] [case W-02] installs below such a home, and shell hooks find their files", async () => {
    const home = path.join(temporary(), "Zoë 读 $x 'q' \"d\"", "home");
    mkdirSync(path.dirname(home));
    const script = '${CLAUDE_PLUGIN_ROOT}/say a && "${CLAUDE_PLUGIN_ROOT}/say" b && $CLAUDE_PLUGIN_ROOT/say c';
    const { hooks, mcpServers } = await contributionsOf(
      {
        ".claude-plugin/plugin.json": { name: "unquoted-root", version: "1.0.0" },
        "hooks/hooks.json": { hooks: { Stop: [{ hooks: [{ type: "command", command: script }] }] } },
        "say!": '#!/bin/sh\nprintf "%s;" "$1"\n',
        ".mcp.json": { mcpServers: { s: { command: "${CLAUDE_PLUGIN_ROOT}/say", args: ["${CLAUDE_PLUGIN_ROOT}"] } } },
      },
      { home },
    );
    const root = path.join(home, "plugins/unquoted-root");
    const [hook] = hooks;
    expect(hook?.action.type).toBe("shell");
    if (hook?.action.type !== "shell") return;
    expect(execFileSync("/bin/sh", ["-c", hook.action.script], { encoding: "utf8" })).toBe("a;b;c;");
    const [server] = mcpServers;
    expect(server?.server).toEqual({ type: "stdio", command: `${root}/say`, args: [root], env: {} });
    expect(execFileSync(`${root}/say`, ["d"], { encoding: "utf8" })).toBe("d;");
  });

  it.each([
    ["pwsh", '& ${CLAUDE_PLUGIN_ROOT}/a "$CLAUDE_PLUGIN_ROOT"', "& 'C:/x ''y'/a \"C:/x 'y\""],
    ["cmd", '%CLAUDE_PLUGIN_ROOT%\\a "%CLAUDE_PLUGIN_ROOT%"', '"C:/x \'y"\\a "C:/x \'y"'],
    ["bash", "'${CLAUDE_PLUGIN_ROOT}'", "'C:/x '\\''y'"],
    ["bash", "$CLAUDE_PLUGIN_ROOTS $OTHER", "$CLAUDE_PLUGIN_ROOTS $OTHER"],
  ] as const)("[case W-02] in %s, %j is %j", (shell, script, expected) => {
    expect(expandScript(script, "C:/x 'y", shell)).toBe(expected);
  });
});

describe("themes", () => {
  const good = {
    id: "dawn",
    tokens: { light: { bg: "#F7F4EF" }, dark: { accent: "#fb923cff" } },
    recipes: { density: "compact" },
  };

  it("[M5] files and folders become themes of the plugin", async () => {
    const { themes, problems } = await contributionsOf({
      "reasonix-plugin.json": manifest({ contributes: { themes: ["themes/*.reasonix-theme", "packs"] } }),
      "themes/dawn.reasonix-theme": `\ufeff${JSON.stringify(good)}`,
      "themes/zip.reasonix-theme": "PK\u0003\u0004",
      "packs/night sky/theme.json": { tokens: {} },
    });
    expect(themes).toMatchObject([
      { plugin: "kit", id: "night-sky", name: "night-sky", baseStyle: "graphite" },
      {
        plugin: "kit",
        id: "dawn",
        tokens: { light: { bg: "#f7f4ef" }, dark: { accent: "#fb923cff" } },
        recipes: { density: "compact" },
      },
    ]);
    expect(problems.map(({ entry }) => entry)).toEqual(["themes/zip.reasonix-theme"]);
  });

  it.each([
    [
      { tokens: { light: { bg: "url(javascript:alert(1))" } } },
      '/tokens/light/bg: "url(javascript:alert(1))", wanted #RRGGBB or #RRGGBBAA',
    ],
    [{ tokens: { light: { bgg: "#ffffff" } } }, '/tokens/light/bgg: no such token. Did you mean "bg"?'],
    [{ tokens: { mid: {} } }, "/tokens/mid: no such field"],
    [{ css: "@import 'x'" }, "/css: no such field"],
    [{ recipes: { corners: "sharp" } }, '/recipes/corners: "sharp", wanted one of square, soft, round'],
    [{ recipes: { constructor: "x" } }, "/recipes/constructor: no such recipe"],
    [{ id: "../x" }, '/id: "../x", wanted small letters, digits and "-"'],
    [{ schemaVersion: 9 }, "/schemaVersion: 9, wanted 1"],
    [{ baseStyle: "neon" }, '/baseStyle: "neon", wanted one of graphite, aurora, slate, carbon, nocturne, amber'],
    [[], "it holds no JSON object"],
  ])("[M5] %j is refused", (value, expected) => {
    const problems: string[] = [];
    expect(judgeTheme(value, (problem) => problems.push(problem))).toBe(null);
    expect(problems).toEqual([expected]);
  });
});
