/** The generated files are those that the sources make, and the check notices when they are not. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contractDocument, contractText } from "../src/contract-document.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let copy = "";

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "generate-"));
  const paths = [
    "scripts/generate.mjs",
    "scripts/generate",
    "packages/protocol/src",
    "docs/EXTENSION_PROTOCOL.generated.md",
  ];
  const files = ["packages/protocol/schema.generated.json", "packages/protocol/schema.generated.sha256"];
  await mkdir(join(copy, "docs"));
  for (const path of [...paths, ...files]) await cp(join(root, path), join(copy, path), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

function generate(...args: readonly string[]) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const command = [join(copy, "scripts/generate.mjs"), ...args];
    const child = execFile(process.execPath, command, { timeout: 60_000 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, output: `${stderr}${stdout}`.trim() });
    });
  });
}

test("[E3] the committed schema and digest are those of the sources", async () => {
  const text = await readFile(join(root, "packages/protocol/schema.generated.json"), "utf8");
  expect(text).toBe(contractText(contractDocument()));
  const digest = createHash("sha256").update(text).digest("hex");
  const stamp = await readFile(join(root, "packages/protocol/schema.generated.sha256"), "utf8");
  expect(stamp).toBe(`${digest}  schema.generated.json\n`);
  expect(await readFile(join(root, "docs/EXTENSION_PROTOCOL.generated.md"), "utf8")).toContain(digest);
});

test("[E3] the check passes on the committed files, fails on drift, names each file and the command that mends it", async () => {
  expect(await generate("--check")).toEqual({ code: 0, output: "generate: 3 files are up to date" });

  const source = join(copy, "packages/protocol/src/limits.ts");
  await writeFile(source, (await readFile(source, "utf8")).replace("frameBytes: 8_388_608", "frameBytes: 9_000_000"));
  const drift = await generate("--check");
  expect(drift.code).toBe(1);
  expect(drift.output.split("\n")).toEqual([
    "packages/protocol/schema.generated.json differs from its sources in packages/protocol/src",
    "packages/protocol/schema.generated.sha256 differs from its sources in packages/protocol/src",
    "docs/EXTENSION_PROTOCOL.generated.md differs from its sources in packages/protocol/src",
    "generate: run `npm run generate` and commit what it writes",
  ]);

  expect(await generate()).toEqual({ code: 0, output: "generate: 3 of 3 files written" });
  expect(await generate("--check")).toEqual({ code: 0, output: "generate: 3 files are up to date" });
  expect(await readFile(join(copy, "packages/protocol/schema.generated.json"), "utf8")).toContain(
    '"frameBytes": 9000000',
  );
});
