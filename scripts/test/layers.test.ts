/** The arrows' judge, run as a command on small trees. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const command = fileURLToPath(new URL("../layers.mjs", import.meta.url));
const trees: string[] = [];

afterEach(async () => {
  await Promise.all(trees.splice(0).map((tree) => rm(tree, { recursive: true, force: true })));
});

type Files = { readonly [path: string]: string };

/** Runs the judge on a tree of these files; packages get a manifest with the dependencies named. */
async function judge(
  packages: { readonly [folder: string]: readonly string[] },
  files: Files,
  unlocked: readonly string[] = [],
) {
  const tree = await mkdtemp(join(tmpdir(), "layers-"));
  trees.push(tree);
  const manifests = Object.entries(packages).map(([folder, dependencies]) => {
    const name = folder === "sdk/typescript" ? "sdk" : folder.slice(folder.indexOf("/") + 1);
    const declared = Object.fromEntries(dependencies.map((dependency) => [dependency, "0.0.0"]));
    return [
      `${folder}/package.json`,
      JSON.stringify({ name: `@reasonix-ts/${name}`, dependencies: declared }),
    ] as const;
  });
  const lock = Object.fromEntries(
    Object.entries(packages)
      .filter(([folder]) => !unlocked.includes(folder))
      .map(([folder, names]) => [folder, { dependencies: Object.fromEntries(names.map((name) => [name, "0.0.0"])) }]),
  );
  const rootManifest = { workspaces: ["packages/*", "sdk/typescript"], devDependencies: { vitest: "4.0.0" } };
  const rootFiles = [
    ["package.json", JSON.stringify(rootManifest)],
    ["package-lock.json", JSON.stringify({ packages: lock })],
  ] as const;
  const all = [...rootFiles, ...manifests, ...Object.entries(files)];
  for (const [path, text] of all) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  return new Promise<{ code: number; lines: readonly string[] }>((resolve) => {
    const child = execFile(process.execPath, [command, tree], { timeout: 60_000 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, lines: `${stderr}${stdout}`.trim().split("\n") });
    });
  });
}

test("a tree that keeps to the arrows passes", async () => {
  const result = await judge(
    {
      "packages/protocol": [],
      "packages/rpc": [],
      "packages/host": ["@reasonix-ts/protocol", "@reasonix-ts/rpc", "semver"],
    },
    {
      "packages/protocol/src/index.ts": 'export { a } from "./a.ts";\n',
      "packages/protocol/src/a.ts": "export const a = 1;\n",
      "packages/rpc/src/index.ts": "export const peer = 1;\n",
      "packages/rpc/src/node/stdio.ts": 'import { Readable } from "node:stream";\nexport { Readable };\n',
      "packages/host/src/index.ts":
        'import { a } from "@reasonix-ts/protocol";\nimport semver from "semver";\nimport { join } from "node:path";\n',
      "packages/host/test/host.test.ts":
        'import { test } from "vitest";\nimport { spawn } from "node:child_process";\nprocess.env["HOME"];\n',
    },
  );
  expect(result).toEqual({ code: 0, lines: ["layers: 6 files keep to the arrows"] });
});

test("each thing that breaks the arrows is named with its place", async () => {
  const result = await judge(
    {
      "packages/protocol": ["@reasonix-ts/rpc"],
      "packages/rpc": [],
      "packages/host": ["@reasonix-ts/plugins"],
      "packages/plugins": ["@reasonix-ts/protocol"],
      "packages/stray": [],
    },
    {
      "packages/protocol/src/arrow.ts": 'import { peer } from "@reasonix-ts/rpc";\n',
      "packages/protocol/src/type-arrow.ts": 'export type Peer = import("@reasonix-ts/rpc").Peer;\n',
      "packages/protocol/src/builtin.ts": 'import { readFileSync } from "fs";\n',
      "packages/protocol/src/lazy.ts": 'export const load = () => import("node:fs");\n',
      "packages/rpc/src/undeclared.ts": 'import left from "left-pad/sub";\n',
      "packages/rpc/src/ending.ts": 'import { x } from "./undeclared";\n',
      "packages/rpc/src/across.ts": 'import { a } from "../../protocol/src/arrow.ts";\n',
      "packages/rpc/src/development.ts": 'import { test } from "vitest";\n',
      "packages/host/src/sibling.ts": 'import { plan } from "@reasonix-ts/plugins";\n',
      "packages/host/test/sibling.test.ts": 'import { plan } from "@reasonix-ts/plugins";\n',
      "packages/host/src/start.ts": 'import { spawn } from "node:child_process";\n',
      "packages/host/src/self.ts": 'import { x } from "@reasonix-ts/host";\n',
      "packages/plugins/src/read.ts": [
        "export const home = process.env.HOME;",
        'export const args = process["argv"];',
        "export const { env } = process;",
        'import { argv } from "node:process";',
        "export const deep = globalThis.process.env;",
        "export const fine = process.pid + globalThis.environment.env;",
      ].join("\n"),
      "packages/plugins/src/ring-a.ts": 'import type { B } from "./ring-b.ts";\nexport type A = B;\n',
      "packages/plugins/src/ring-b.ts": 'export type { A as B } from "./ring-a.ts";\n',
      "packages/stray/src/index.ts": "export const x = 1;\n",
    },
  );
  expect(result.code).toBe(1);
  expect(result.lines).toEqual([
    'packages/host/src/self.ts:1: "@reasonix-ts/host" is this package itself; import the file',
    "packages/host/src/sibling.ts:1: host and plugins never import one another",
    "packages/host/src/start.ts:1: packages/host may not touch node:child_process; start processes with packages/process",
    "packages/host/test/sibling.test.ts:1: host and plugins never import one another",
    "packages/plugins/src/read.ts:1: process.env is read here; take it as an argument from the app",
    "packages/plugins/src/read.ts:2: process.argv is read here; take it as an argument from the app",
    "packages/plugins/src/read.ts:3: process.env is read here; take it as an argument from the app",
    "packages/plugins/src/read.ts:4: process.argv is read here; take it as an argument from the app",
    "packages/plugins/src/read.ts:5: process.env is read here; take it as an argument from the app",
    "packages/protocol/src/arrow.ts:1: packages/protocol may import no workspace package; not rpc",
    'packages/protocol/src/builtin.ts:1: "fs" must be written "node:fs"',
    "packages/protocol/src/builtin.ts:1: packages/protocol may not touch node:fs",
    "packages/protocol/src/lazy.ts:1: packages/protocol may not touch node:fs",
    "packages/protocol/src/type-arrow.ts:1: packages/protocol may import no workspace package; not rpc",
    'packages/rpc/src/across.ts:1: "../../protocol/src/arrow.ts" leaves packages/rpc; import the package by its name',
    'packages/rpc/src/development.ts:1: "vitest" is not among the dependencies of packages/rpc/package.json',
    'packages/rpc/src/ending.ts:1: "./undeclared" must end in .ts',
    'packages/rpc/src/undeclared.ts:1: "left-pad" is not among the dependencies of packages/rpc/package.json',
    "packages/stray/src/index.ts:1: scripts/layers/rules.mjs has no row for packages/stray",
    "packages/plugins/src/ring-a.ts: imports in a ring: packages/plugins/src/ring-a.ts, packages/plugins/src/ring-b.ts",
    "layers: 20 problems in 16 files",
  ]);
});

test("the referee's tests may start the host from one folder, its sources may not", async () => {
  const line = 'import { createHost } from "@reasonix-ts/host";\n';
  const result = await judge(
    { "packages/conformance": ["@reasonix-ts/host"], "packages/host": [] },
    {
      "packages/conformance/src/play.ts": line,
      "packages/conformance/test/host/matrix.test.ts": line,
      "packages/conformance/test/report.test.ts": line,
    },
  );
  expect(result.lines).toEqual([
    "packages/conformance/src/play.ts:1: conformance and host never import one another",
    "packages/conformance/test/report.test.ts:1: conformance and host never import one another",
    "layers: 2 problems in 3 files",
  ]);
});

test("a package that the lock file does not know is named: a fresh clone could not be installed", async () => {
  const result = await judge({ "packages/protocol": [], "packages/rpc": [] }, {}, ["packages/rpc"]);
  expect(result.lines).toEqual([
    "package-lock.json: has no entry for packages/rpc; run `npm install --ignore-scripts` and commit package-lock.json",
    "layers: 1 problem in 0 files",
  ]);
});
