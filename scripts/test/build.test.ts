/** The build, run as a command on a small tree with the real esbuild. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const trees: string[] = [];

afterEach(async () => {
  await Promise.all(trees.splice(0).map((tree) => rm(tree, { recursive: true, force: true })));
});

async function treeOf(files: { readonly [path: string]: string }, { packages = true } = {}): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), "build-"));
  trees.push(tree);
  for (const path of ["scripts/build.mjs", "scripts/build"]) {
    await cp(join(root, path), join(tree, path), { recursive: true });
  }
  if (packages) await symlink(join(root, "node_modules"), join(tree, "node_modules"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  return tree;
}

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const options = { timeout: 60_000, env: { ...process.env, ...env } };
    const child = execFile(file, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: `${stderr}${stdout}`.trim() });
    });
  });
}

const build = (tree: string, env?: NodeJS.ProcessEnv, names: readonly string[] = []) =>
  run(process.execPath, [join(tree, "scripts/build.mjs"), ...names], env);

const exportsOf = (source: string, output: string) => ({ "@reasonix-ts/source": source, default: output });

test("a sidecar becomes one executable CommonJS file, a package one ES module for each export", async () => {
  const tree = await treeOf({
    "packages/rpc/package.json": JSON.stringify({
      name: "x",
      exports: {
        ".": exportsOf("./src/index.ts", "./dist/index.js"),
        "./node": exportsOf("./src/node/stdio.ts", "./dist/node/stdio.js"),
        "./later": exportsOf("./src/later.ts", "./dist/later.js"),
      },
    }),
    "packages/rpc/src/index.ts": 'import { y } from "y";\nexport const a: number = y;\n',
    "packages/rpc/src/node/stdio.ts": "export const b: number = 2;\n",
    "examples/starter/src/sidecar.ts":
      'import { text } from "./text.ts";\nconsole.log(text satisfies string, __filename);\n',
    "examples/starter/src/text.ts": 'export const text: string = "hello";\n',
    "examples/empty/package.json": "{}",
  });
  const built = await build(tree);
  expect(built.output).toMatch(/^build: 2 targets built \(\d+\.\d s\)$/);
  expect(built.code).toBe(0);
  expect((await build(tree)).output).toMatch(/^build: 2 targets up to date \(\d+\.\d s\)$/);
  await writeFile(join(tree, "packages/rpc/src/node/stdio.ts"), "export const b: number = 2;\nexport const c = 3;\n");
  expect((await build(tree)).output).toMatch(/^build: 1 target built, 1 up to date \(\d+\.\d s\)$/);

  const sidecar = join(tree, "examples/starter/dist/sidecar.cjs");
  expect((await stat(sidecar)).mode & 0o777).toBe(0o755);
  expect((await readFile(sidecar, "utf8")).split("\n")[0]).toBe("#!/usr/bin/env node");
  expect(await run(sidecar, [])).toEqual({ code: 0, output: `hello ${sidecar}` });
  expect(await readFile(join(tree, "packages/rpc/dist/index.js"), "utf8")).toContain('from "y"');
  expect(await readFile(join(tree, "packages/rpc/dist/node/stdio.js"), "utf8")).toContain("var b = 2");
});

test("a build of unchanged sources rewrites nothing; a changed one is put in place", async () => {
  const tree = await treeOf({ "examples/one/src/sidecar.ts": "console.log(1);\n" });
  const sidecar = join(tree, "examples/one/dist/sidecar.cjs");
  await build(tree);
  const first = await stat(sidecar);
  await build(tree);
  const second = await stat(sidecar);
  expect([second.ino, second.mtimeMs]).toEqual([first.ino, first.mtimeMs]);
  await writeFile(join(tree, "examples/one/src/sidecar.ts"), "console.log(2);\n");
  await build(tree);
  expect(await run(sidecar, [])).toEqual({ code: 0, output: "2" });
});

test("a target that does not build is named with its cause, the others are built, and one can be asked for", async () => {
  const tree = await treeOf({
    "examples/broken/src/sidecar.ts": 'import "./missing.ts";\n',
    "examples/good/src/sidecar.ts": "console.log(1);\n",
  });
  const built = await build(tree);
  expect(built.code).toBe(1);
  expect(built.output).toContain("build of examples/broken failed:");
  expect(built.output).toContain('Could not resolve "./missing.ts"');
  expect(built.output.split("\n").at(-1)).toMatch(/^build: 1 of 2 targets failed/);
  expect(await run(join(tree, "examples/good/dist/sidecar.cjs"), [])).toEqual({ code: 0, output: "1" });

  const one = await build(tree, {}, ["examples/good"]);
  expect([one.code, one.output.startsWith("build: 1 target up to date")]).toEqual([0, true]);
  expect(await build(tree, {}, ["examples/goof"])).toEqual({
    code: 1,
    output: "build: no target is named examples/goof",
  });
});

test("the SDK is built as a library, kept while its inputs stay, and built anew when a package in it changes", async () => {
  const tree = await treeOf({
    "tsconfig.json": "{}",
    "sdk/typescript/package.json": JSON.stringify({ type: "module", devDependencies: { "@reasonix-ts/rpc": "0" } }),
    "sdk/typescript/tsdown.config.ts":
      'export default { entry: ["src/index.ts"], format: ["esm", "cjs"], dts: false, fixedExtension: false };\n',
    "sdk/typescript/src/index.ts": 'export { one } from "../../../packages/rpc/src/one.ts";\n',
    "packages/rpc/src/one.ts": "export const one: number = 1;\n",
  });
  const files = ["index.js", "index.cjs"].map((name) => join(tree, "sdk/typescript/dist", name));
  const built = await build(tree);
  expect([built.code, built.output.startsWith("build: 1 target built")]).toEqual([0, true]);
  for (const file of files) expect(await readFile(file, "utf8")).toContain("const one = 1;");

  const mark = "// put here by the test: a kept build does not touch it\n";
  for (const file of files) await writeFile(file, mark);
  await build(tree);
  for (const file of files) expect(await readFile(file, "utf8")).toBe(mark);

  await writeFile(join(tree, "packages/rpc/src/one.ts"), "export const one: number = 2;\n");
  await writeFile(join(tree, "sdk/typescript/dist/older-chunk.js"), "");
  await build(tree);
  expect(await readdir(join(tree, "sdk/typescript/dist"))).toEqual(["index.cjs", "index.js"]);
  for (const file of files) expect(await readFile(file, "utf8")).toContain("const one = 2;");
});

test("a tree with nothing to build is built, and an install without development packages is not stopped", async () => {
  const empty = await build(await treeOf({}));
  expect([empty.code, empty.output.startsWith("build: 0 targets up to date")]).toEqual([0, true]);

  const bare = await treeOf({}, { packages: false });
  const duringInstall = await build(bare, { npm_lifecycle_event: "prepare" });
  expect([duringInstall.code, duringInstall.output.startsWith("build skipped: esbuild is not installed")]).toEqual([
    0,
    true,
  ]);
  const byHand = await build(bare, { npm_lifecycle_event: "build" });
  expect([byHand.code, byHand.output.startsWith("build: esbuild is not installed")]).toEqual([1, true]);
});
