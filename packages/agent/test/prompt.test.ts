import { mkdir, symlink, writeFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readMemory } from "../src/prompt/memory.ts";
import { systemPrompt } from "../src/prompt/system.ts";
import { modelToolName } from "../src/index.ts";
import { bench, says, scriptedModel, tableExtensions, temporaryFolder } from "./support.ts";

describe("project memory", () => {
  it("reads notes from the root of the repository down to the workspace, each text once", async () => {
    const folder = await temporaryFolder();
    const workspace = path.join(folder, "repo/packages/app");
    await mkdir(workspace, { recursive: true });
    await mkdir(path.join(folder, "repo/.git"));
    await writeFile(path.join(folder, "AGENTS.md"), "above the repository");
    await writeFile(path.join(folder, "repo/AGENTS.md"), "of the repository");
    await symlink("AGENTS.md", path.join(folder, "repo/CLAUDE.md"));
    await writeFile(path.join(workspace, "REASONIX.md"), "of the package\n");
    await mkdir(path.join(workspace, "CLAUDE.md"));
    expect((await readMemory(workspace)).map(({ shownPath, text }) => [shownPath, text])).toEqual([
      ["../../AGENTS.md", "of the repository"],
      ["REASONIX.md", "of the package"],
    ]);
  });

  it("[X1] takes no notes from a pipe, a device, or a link that leaves the repository", async () => {
    const folder = await temporaryFolder();
    const repository = path.join(folder, "repo");
    await mkdir(path.join(repository, ".git"), { recursive: true });
    await writeFile(path.join(folder, "secret"), "a key of the person");
    execFileSync("mkfifo", [path.join(repository, "AGENTS.md")]);
    await symlink("/dev/zero", path.join(repository, "CLAUDE.md"));
    await symlink("../secret", path.join(repository, "REASONIX.md"));
    expect(await readMemory(repository)).toEqual([]);
  });

  it("looks at the workspace alone where it lies in no repository", async () => {
    const folder = await temporaryFolder();
    const workspace = path.join(folder, "plain");
    await mkdir(workspace);
    await writeFile(path.join(folder, "AGENTS.md"), "above");
    await writeFile(path.join(workspace, "AGENTS.md"), "here");
    expect((await readMemory(workspace)).map(({ text }) => text)).toEqual(["here"]);
  });

  it("goes into the system prompt, and can be left out", async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, "workspace"));
    await writeFile(path.join(folder, "workspace/AGENTS.md"), "Use tabs.");
    const models = scriptedModel([says("hi")]);
    const withMemory = await bench({ models, folder });
    await withMemory.session.turn("go");
    const without = await bench({ models, folder, settings: { memory: false } });
    await without.session.turn("go");
    expect(models.requests.map((request) => request.messages[0]?.content?.includes("Use tabs."))).toEqual([
      true,
      false,
    ]);
  });
});

describe("the system prompt", () => {
  it("[K3] is the same for the same facts, and holds nothing of the moment", () => {
    const facts = { workspaceRoot: "/w", addedDirs: ["/a"], platform: "linux", instructions: "Be kind.", memory: [] };
    const prompt = systemPrompt(facts);
    expect(systemPrompt(facts)).toBe(prompt);
    expect(prompt).not.toMatch(/\d{4}-\d{2}-\d{2}|\d{2}:\d{2}/);
    expect(prompt).toContain("Workspace: /w\nAlso workspace: /a");
    expect(prompt.endsWith("# Instructions\nBe kind.")).toBe(true);
  });
});

describe("tools as the model sees them", () => {
  it("come in a fixed order, with plain schemas", async () => {
    const models = scriptedModel([says("hi")]);
    const { session } = await bench({ models });
    await session.turn("go");
    const tools = models.requests[0]?.tools ?? [];
    expect(tools.map((tool) => tool.name)).toEqual([
      "read_file",
      "write_file",
      "edit_file",
      "multi_edit",
      "list_dir",
      "glob",
      "grep",
      "bash",
      "job_output",
      "job_kill",
      "web_fetch",
      "view_image",
      "todo_write",
      "ask",
      "task",
    ]);
    expect(tools.find((tool) => tool.name === "bash")?.parameters).toEqual({
      type: "object",
      properties: {
        command: { type: "string", minLength: 1, description: "The command line." },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: 3_600_000,
          description: "Milliseconds after which it is ended; 120000 by default.",
        },
        run_in_background: { type: "boolean", description: "Start it as a job and go on." },
      },
      required: ["command"],
      additionalProperties: false,
    });
    expect(JSON.stringify(tools)).not.toContain("$ref");
  });

  it("have names of letters, digits, _ and -, at most 64, each its own", () => {
    expect(modelToolName("ext", "websearch", "word_count")).toBe("ext__websearch__word_count");
    expect(modelToolName("mcp", "git.hub", "list")).toMatch(/^mcp__git_hub__list_[0-9a-f]{8}$/);
    expect(modelToolName("mcp", "git_hub", "list")).toBe("mcp__git_hub__list");
    const long = modelToolName("ext", "p".repeat(60), "t".repeat(60));
    expect(long).toHaveLength(64);
    expect(modelToolName("ext", "p".repeat(60), "t".repeat(59))).not.toBe(long);
  });

  it("of extensions are sorted, and two of one name are an error that says what to do", async () => {
    const tool = (plugin: string, name: string) => ({
      plugin,
      name,
      description: "",
      inputSchema: { type: "object" },
      readOnly: true,
      replacesBuiltIn: false,
    });
    const models = scriptedModel([says("hi")]);
    const sorted = await bench({
      models,
      extensions: tableExtensions({}, { tools: [tool("b", "x"), tool("a", "y")] }),
    });
    await sorted.session.turn("go");
    expect(models.requests[0]?.tools.slice(-2).map((one) => one.name)).toEqual(["ext__a__y", "ext__b__x"]);
    const clash = tableExtensions({}, { tools: [tool("a", "x"), tool("a", "x")] });
    const { session } = await bench({ models, extensions: clash });
    expect(await session.turn("go")).toMatchObject({
      outcome: "failed",
      text: "Two tools are named ext__a__x. Disable one of the plugins or servers that bring it, then reload.",
    });
  });
});
