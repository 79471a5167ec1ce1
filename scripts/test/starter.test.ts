/** The road out of the repository: a copy of the starter is built with the packed SDK, installed and run. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

let folder = "";
let copy = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "starter-copy-"));
  copy = join(folder, "my-extension");
  const isSource = (path: string): boolean => !/[\\/](?:dist|node_modules)$/.test(path);
  await cp(join(ROOT, "examples/starter"), copy, { recursive: true, filter: isSource });
  const { stdout } = await run(process.execPath, [join(ROOT, "scripts/pack.mjs"), "--to", folder, "sdk"]);
  const modules = join(copy, "node_modules");
  await mkdir(join(modules, "@reasonix-ts/sdk"), { recursive: true });
  await run("tar", ["-xzf", stdout.trim(), "-C", join(modules, "@reasonix-ts/sdk"), "--strip-components=1"]);
  // Stands for the copy's own esbuild, which a test does not fetch from a registry.
  await symlink(join(ROOT, "node_modules/esbuild"), join(modules, "esbuild"));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program in the copy with the repository's commands in PATH, as the README says. */
function inCopy(program: string, ...args: readonly string[]): Promise<{ readonly stdout: string }> {
  const commands = [join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: commands, REASONIX_HOME: join(folder, "home") };
  const running = run(program, [...args], { cwd: copy, env });
  // The command reads what is piped into it to the end.
  running.child.stdin?.end();
  return running;
}

test("[G2] [G3] a copy of the starter builds, is judged, installed and run outside of the repository", async () => {
  await inCopy("npm", "run", "build");
  const judged = await inCopy("reasonix-conformance", "--only", "intercept.input.receive", ".");
  expect(judged.stdout).toContain("1 passed, 0 failed, 0 warnings, 0 did not apply. It conforms.");
  await inCopy("reasonix", "plugin", "install", ".", "--link", "--yes");
  const { stdout } = await inCopy("reasonix", "run", "starter: explain protocols");
  expect(stdout).toBe("You said: explain protocols [rewritten by starter-extension]\n");
});
