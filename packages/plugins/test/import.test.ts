import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { installedContributions, installPlugins, installText, listPlugins } from "../src/index.ts";
import { bench, checksum, temporary, write } from "./support/workbench.ts";

describe("Claude packages", () => {
  it("[M3] [case M-15] an automatic hooks file that is named as well counts once, and all of it is usable", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), {
      ".claude-plugin/plugin.json": { name: "daimon", version: "1.2.0", hooks: "./hooks/hooks.json" },
      "hooks/hooks.json": {
        description: "d",
        hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "x", timeout: 2 }] }] },
      },
    });
    const report = await installPlugins(request(source), place);
    expect(report.actions).toMatchObject([
      {
        verdict: "install",
        candidate: {
          kind: "claude",
          contributions: { hooks: 1 },
          compatibility: {
            level: "full",
            skipped: [],
            notes: ["hooks/hooks.json is read without being named: it counts once"],
          },
        },
      },
    ]);
    const { hooks } = await installedContributions(home);
    expect(hooks).toMatchObject([{ event: "PreToolUse", match: "Bash", timeoutMillis: 2_000, dialect: "claude" }]);
  });

  it("[M3] tells partial from full and lists every skipped entry", async () => {
    const { place, request } = bench();
    const source = write(temporary(), {
      ".claude-plugin/plugin.json": {
        name: "mix",
        lspServers: {},
        outputStyles: "./styles",
        commands: ["./cmds", "../out"],
      },
      "cmds/go.md": "go",
      "commands/unused.md": "named commands stand in the place of the usual folder",
      "skills/s/SKILL.md": "s",
      "hooks/hooks.json": {
        hooks: {
          PreToolUse: [
            { matcher: "(Bash", hooks: [{ type: "command", command: "x" }] },
            {
              matcher: "*",
              hooks: [
                { type: "prompt", prompt: "p" },
                { type: "command", command: "y", if: "Bash(rm*)" },
              ],
            },
          ],
          TeammateIdle: [],
        },
      },
      ".mcp.json": { ok: { command: "npx", args: ["-y", "x"] }, odd: { type: "carrier-pigeon" } },
    });
    const report = await installPlugins(request(source, { consent: "preview" }), place);
    const text = installText(report);
    expect(text).toContain("  format:       claude, partly usable here\n");
    expect(text).toContain("  contributes:  skills 1, commands 1, mcpServers 1\n");
    expect(text).toContain("  runs:         MCP server ok: npx -y x\n");
    expect(
      report.actions[0]?.candidate.compatibility.skipped.map(({ entry, reason }) => `${entry}: ${reason}`),
    ).toEqual([
      ".claude-plugin/plugin.json#/lspServers: not used here",
      ".claude-plugin/plugin.json#/outputStyles: not used here",
      ".claude-plugin/plugin.json#/commands/1: it leads out of the package",
      "hooks/hooks.json#/PreToolUse/0/matcher: it is no regular expression, so nothing of the group is used",
      'hooks/hooks.json#/PreToolUse/1/hooks/0: hooks of type "prompt" are not run here',
      "hooks/hooks.json#/PreToolUse/1/hooks/1: its condition (if) is not evaluated here",
      "hooks/hooks.json#/TeammateIdle: no such event here",
      '.mcp.json#/odd: servers of type "carrier-pigeon" are not reached here',
    ]);
  });

  it("[M3] refuses a package of which nothing can be used", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), { ".claude-plugin/plugin.json": { name: "none", lspServers: {} } });
    const report = await installPlugins(request(source), place);
    expect(report).toMatchObject({
      applied: false,
      actions: [{ verdict: "refused", reason: "nothing in it can be used here" }],
    });
    expect(checksum(home)).toBe("none");
  });
});

describe("Codex packages", () => {
  it("[M3] maps skills, servers, the start script and the context file, and lists apps", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), {
      ".codex-plugin/plugin.json": {
        name: "cx",
        version: "1.0.0",
        skills: "./skills/",
        mcpServers: "./.mcp.json",
        apps: "./.app.json",
        interface: {},
      },
      "skills/a/SKILL.md": "a",
      ".mcp.json": { mcpServers: { docs: { url: "https://docs.example.org/mcp" } } },
      "hooks/session-start-codex!": "#!/bin/sh\n",
      "CLAUDE.md": "context",
    });
    const report = await installPlugins(request(source), place);
    expect(report.actions[0]?.candidate.compatibility).toEqual({
      level: "partial",
      skipped: [{ entry: ".codex-plugin/plugin.json#/apps", reason: "not used here" }],
      notes: [],
    });
    const root = path.join(home, "plugins/cx");
    const { hooks, mcpServers, skills } = await installedContributions(home);
    expect(hooks.map(({ action }) => action)).toEqual([
      { type: "exec", command: `${root}/hooks/session-start-codex`, args: [], cwd: null },
      { type: "context", file: `${root}/CLAUDE.md` },
    ]);
    expect(mcpServers).toMatchObject([{ name: "docs", server: { type: "http", url: "https://docs.example.org/mcp" } }]);
    expect(skills).toHaveLength(1);
  });
});

describe("Claude marketplaces", () => {
  const market = {
    ".claude-plugin/marketplace.json": {
      name: "market",
      plugins: [
        { name: "one", source: "./plugins/one" },
        { name: "two", source: "plugins/two", version: "2.0.0", description: "no manifest of its own" },
        { name: "far", source: { source: "github", repo: "o/r" } },
        { name: "url", source: "https://example.org/x.git" },
        { name: "loose", source: "./plugins/one", strict: false },
        { name: "out", source: "../x" },
      ],
    },
    "plugins/one/.claude-plugin/plugin.json": { name: "one", version: "1.0.0" },
    "plugins/one/commands/hi.md": "hi",
    "plugins/two/skills/s/SKILL.md": "s",
  };

  it("[M1] plans one action a plugin and says why others are skipped", async () => {
    const { home, place, request } = bench();
    const report = await installPlugins(request(write(temporary(), market)), place);
    expect(report.actions.map(({ verdict, candidate }) => [verdict, candidate.name, candidate.version])).toEqual([
      ["install", "one", "1.0.0"],
      ["install", "two", "2.0.0"],
    ]);
    expect(report.skipped).toEqual([
      { name: "far", reason: "a repository elsewhere must be pinned to a full commit" },
      { name: "url", reason: "an address must be pinned to a commit" },
      {
        name: "loose",
        reason: "entries that describe a package in place of its manifest (strict: false) are not read",
      },
      { name: "out", reason: "its folder leads out of the marketplace" },
    ]);
    expect((await listPlugins(home)).plugins.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(readdirSync(path.join(home, "plugins"))).toEqual(["one", "two"]);
  });

  it("[M1] --name chooses one plugin, and a skipped one is refused with its reason", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), market);
    await installPlugins(request(source, { name: "two" }), place);
    expect((await listPlugins(home)).plugins.map(({ name }) => name)).toEqual(["two"]);
    await expect(installPlugins(request(source, { name: "far" }), place)).rejects.toThrow(
      "must be pinned to a full commit",
    );
    await expect(installPlugins(request(source, { name: "nine" }), place)).rejects.toThrow("it lists: one, two");
  });
});
