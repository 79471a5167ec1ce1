/** The package as people get it: packed, unpacked into a clean folder, type-checked and run with nothing else there. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RawSidecar } from "./support/raw-sidecar.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PACKAGE = join(ROOT, "sdk/typescript");
const BUILD = new URL("../../../scripts/build/sdk.mjs", import.meta.url).href;

let folder = "";
let consumer = "";
let installed = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sdk-pack-"));
  consumer = join(folder, "consumer");
  installed = join(consumer, "node_modules/@reasonix-ts/sdk");
  // Built anew only when a source has changed since the last build.
  const script = `import(${JSON.stringify(BUILD)}).then(({ buildSdk }) => buildSdk(${JSON.stringify(ROOT)}))`;
  await run(process.execPath, ["--input-type=module", "-e", `await ${script}`]);
  const packing = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", folder];
  const { stdout } = await run("npm", packing, { cwd: PACKAGE });
  const packed: readonly { readonly filename: string }[] = JSON.parse(stdout);
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", join(folder, packed[0]?.filename ?? ""), "-C", installed, "--strip-components=1"]);
  // A consumer's own development dependency, which the package must not need.
  await mkdir(join(consumer, "node_modules/@types"), { recursive: true });
  await symlink(join(ROOT, "node_modules/@types/node"), join(consumer, "node_modules/@types/node"));
  await symlink(join(ROOT, "node_modules/undici-types"), join(consumer, "node_modules/undici-types"));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const SOURCE = `
import { block, defineExtension, next, replace, type Extension, type Payloads } from "@reasonix-ts/sdk";
import { testHost, type TestHost } from "@reasonix-ts/sdk/testing";

export const extension: Extension = defineExtension({
  name: "packed",
  version: "0.1.0",
  intercept: {
    "input.receive": (payload) => replace({ ...payload, text: payload.text.toUpperCase() }),
    "tool.before": ({ name }, { signal }) => (name === "bash" && !signal.aborted ? block("no") : next()),
  },
});
export const input: Payloads["input.receive"] = { text: "x" };
export const host: Promise<TestHost> = testHost(extension);
// @ts-expect-error a payload is checked
export const wrong: Payloads["input.receive"] = { text: 1 };
`;

test("[G1] it installs alone: no dependency of any kind, protocol and transport inside", async () => {
  const manifest: { readonly [member: string]: unknown } = JSON.parse(
    await readFile(join(installed, "package.json"), "utf8"),
  );
  expect(manifest["dependencies"]).toBeUndefined();
  expect(manifest["peerDependencies"]).toBeUndefined();
  expect(manifest["optionalDependencies"]).toBeUndefined();
  const files = await readdir(join(installed, "dist"));
  expect(files).toEqual(expect.arrayContaining(["index.js", "index.cjs", "index.d.ts", "index.d.cts"]));
  expect(files).toEqual(expect.arrayContaining(["testing.js", "testing.cjs", "testing.d.ts", "testing.d.cts"]));
  for (const file of files) {
    const text = await readFile(join(installed, "dist", file), "utf8");
    const imports = [...text.matchAll(/(?:\bfrom\s*|\brequire\(|\bimport\()\s*"([^"]+)"/g)].map((match) => match[1]);
    const foreign = imports.filter((name) => name !== undefined && !name.startsWith("./") && !name.startsWith("node:"));
    expect([file, foreign]).toEqual([file, []]);
  }
});

test("[G1] types resolve for import and require, under nodenext and bundler, and every example of the README is sound", async () => {
  const readme = await readFile(join(installed, "README.md"), "utf8");
  const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match, at) => ({
    name: `readme-${at}.mts`,
    text: match[1] ?? "",
  }));
  expect(examples.length).toBeGreaterThanOrEqual(7);
  for (const { name, text } of examples) await writeFile(join(consumer, name), text);
  await writeFile(join(consumer, "esm.mts"), SOURCE);
  await writeFile(join(consumer, "common.cts"), SOURCE);
  await writeFile(join(consumer, "bundled.ts"), SOURCE);
  const [node, bundler] = await Promise.all([
    check("nodenext", "nodenext", ["esm.mts", "common.cts", ...examples.map(({ name }) => name)]),
    check("esnext", "bundler", ["bundled.ts"]),
  ]);
  expect([node, bundler]).toEqual(["", ""]);
});

/** What the compiler complains of. */
async function check(module: string, resolution: string, files: readonly string[]): Promise<string> {
  const options = ["--noEmit", "--strict", "--target", "es2022", "--types", "node", "--exactOptionalPropertyTypes"];
  const args = [...options, "--module", module, "--moduleResolution", resolution, ...files];
  try {
    await run(process.execPath, [join(ROOT, "node_modules/ts7/bin/tsc"), ...args], { cwd: consumer });
    return "";
  } catch (error) {
    return error instanceof Error && "stdout" in error && typeof error.stdout === "string" ? error.stdout : "failed";
  }
}

const SIDECAR = `
console.log("printed after the import");
serve(defineExtension({
  name: "packed",
  version: "0.1.0",
  intercept: { "input.receive": ({ text }) => replace({ text: text.toUpperCase() }) },
}));
`;

test.each([
  ["sidecar.mjs", 'import { defineExtension, replace, serve } from "@reasonix-ts/sdk";'],
  ["sidecar.cjs", 'const { defineExtension, replace, serve } = require("@reasonix-ts/sdk");'],
])("[G1] a sidecar made of the package runs: %s", async (name, head) => {
  const file = join(consumer, name);
  await writeFile(file, `${head}\n${SIDECAR}`);
  const sidecar = new RawSidecar(file, { REASONIX_PLUGIN_NAME: "packed" });
  expect(await sidecar.start()).toMatchObject({ result: { name: "packed", subscriptions: ["input.receive"] } });
  expect(await sidecar.input("loud")).toMatchObject({ result: { replacement: { text: "LOUD" } } });
  sidecar.process.stdin.end();
  expect(await sidecar.ended).toEqual([0, null]);
  expect(sidecar.stderr).toContain("printed after the import");
});
