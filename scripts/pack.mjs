#!/usr/bin/env node
/**
 * Packs what others install, from this clone: `node scripts/pack.mjs [--to <folder>] [host] [conformance] [sdk]`.
 * Each becomes a .tgz for `npm install`; without names all three are packed.
 */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { stageLibrary } from "./build/library.mjs";
import { buildSdk } from "./build/sdk.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const run = promisify(execFile);

const PACKAGES = {
  host: () => stageLibrary(root, "host"),
  conformance: () => stageLibrary(root, "conformance"),
  sdk: async () => {
    await buildSdk(root);
    return join(root, "sdk/typescript");
  },
};

try {
  const { values, positionals } = parseArgs({ options: { to: { type: "string" } }, allowPositionals: true });
  const names = positionals.length === 0 ? Object.keys(PACKAGES) : positionals;
  const unknown = names.filter((name) => !(name in PACKAGES));
  if (unknown.length > 0)
    throw new Error(`there is no ${unknown.join(", ")}; there are ${Object.keys(PACKAGES).join(", ")}`);
  const to = resolve(values.to ?? ".");
  await mkdir(to, { recursive: true });
  for (const name of names) console.log(join(to, await pack(await PACKAGES[name](), to)));
} catch (error) {
  console.error(`pack: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function pack(folder, to) {
  const args = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", to];
  const { stdout } = await run("npm", args, { cwd: folder });
  return JSON.parse(stdout)[0].filename;
}
