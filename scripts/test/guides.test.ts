/** The guides and the examples' pages: code compiles, manifests are right, commands exist, links lead somewhere. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseOptions } from "../../packages/reasonix/src/args.ts";
import { PLUGIN_VERBS } from "../../packages/reasonix/src/commands/plugin-verbs.ts";
import { COMMANDS } from "../../packages/reasonix/src/commands/table.ts";
import { manifestProblemText, parseManifest } from "../../packages/plugins/src/index.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

interface Block {
  /** File and line, as people look it up. */
  readonly at: string;
  readonly language: string;
  readonly text: string;
}

const pages = [
  ...readdirSync(join(root, "docs/guides")).map((name) => `docs/guides/${name}`),
  "examples/README.md",
  ...readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`),
].filter((page) => page.endsWith(".md") && existsSync(join(root, page)));

const blocks = pages.flatMap(blocksIn);
const inLanguage = (language: string): readonly Block[] => blocks.filter((block) => block.language === language);

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "guides-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("there is a guide for each kind, and every fence says its language", () => {
  expect(pages.filter((page) => page.startsWith("docs/guides/"))).toEqual([
    "docs/guides/README.md",
    "docs/guides/any-language.md",
    "docs/guides/interceptors.md",
    "docs/guides/manifest.md",
    "docs/guides/models.md",
    "docs/guides/publishing.md",
    "docs/guides/state-and-reload.md",
    "docs/guides/strategies.md",
    "docs/guides/testing.md",
    "docs/guides/tools.md",
    "docs/guides/ui.md",
  ]);
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(["json", "python", "sh", "text", "ts"]));
});

test("[G1] every block of TypeScript compiles under strict settings, as a module of its own", async () => {
  const code = inLanguage("ts");
  expect(code.length).toBeGreaterThan(15);
  await Promise.all(code.map(({ text }, index) => writeFile(join(folder, `block-${index}.mts`), text)));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER, include: ["*.mts"] }));
  const complaints = (await compile()).replaceAll(/block-(\d+)\.mts/g, (_, index) => code[Number(index)]?.at ?? "");
  expect(complaints).toBe("");
});

describe("[M2] every manifest is accepted", () => {
  const manifests = inLanguage("json").filter(({ text }) => text.includes("apiVersion"));
  test.each(manifests)("$at", ({ text }) => {
    const parsed = parseManifest(Buffer.from(text));
    expect(parsed.ok ? [] : parsed.problems.map((problem) => manifestProblemText(problem))).toEqual([]);
  });
});

describe("every command exists and takes its options", () => {
  const lines = inLanguage("sh").flatMap(({ at, text }) =>
    [...text.matchAll(/(?:^|\| *)reasonix +([^\n|#]+)/gm)].map(([, rest = ""]) => ({ at, words: wordsIn(rest) })),
  );
  test.each(lines)("$at: $words", ({ words }) => {
    const [name = "", ...rest] = words;
    const command = COMMANDS.find((row) => row.name === name);
    expect(command?.name).toBe(name);
    if (command === undefined) return;
    if (name !== "plugin") return void parseOptions(command, rest);
    const verb = PLUGIN_VERBS.find((row) => row.name === rest[0]);
    expect(verb?.name).toBe(rest[0]);
    if (verb !== undefined) parseOptions(verb, rest.slice(1));
  });
});

test("every relative link leads to a file", () => {
  const dead = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].flatMap(([, target = ""]) =>
      /^[a-z]+:/.test(target) || existsSync(join(root, dirname(page), target)) ? [] : [`${page}: ${target}`],
    ),
  );
  expect(dead).toEqual([]);
});

const COMPILER = {
  noEmit: true,
  strict: true,
  target: "es2023",
  lib: ["es2023"],
  types: ["node"],
  module: "nodenext",
  moduleResolution: "nodenext",
  customConditions: ["@reasonix-ts/source"],
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  skipLibCheck: true,
};

function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

function blocksIn(page: string): readonly Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    at: `${page}:${text.slice(0, match.index).split("\n").length}`,
    language: match[1] ?? "",
    text: match[2] ?? "",
  }));
}

/** What the compiler complains of; empty when all is well. */
function compile(): Promise<string> {
  const args = [join(root, "node_modules/ts7/bin/tsc"), "-p", folder];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: folder, timeout: 60_000 }, (_error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trim();
      resolve(child.exitCode === 0 ? output : output || `the compiler ended with ${child.exitCode}`);
    });
  });
}

/** Words as a shell would pass them on; quotes hold one together. */
function wordsIn(line: string): readonly string[] {
  return [...line.trim().matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
