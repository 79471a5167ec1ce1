/** The host and the referee as people install them: packed, unpacked into a clean folder, type-checked and run. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PATIENCE = 180_000;

let folder = "";
let modules = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pack-"));
  modules = join(folder, "consumer/node_modules");
  const script = [join(ROOT, "scripts/pack.mjs"), "--to", folder, "host", "conformance"];
  const { stdout } = await run(process.execPath, script);
  const [host = "", conformance = ""] = stdout.trim().split("\n");
  await unpack(host, join(modules, "@reasonix-ts/host"));
  await unpack(conformance, join(modules, "@reasonix-ts/conformance"));
  // The one dependency of the host, and what a consumer's own compiler needs.
  await cp(join(ROOT, "node_modules/semver"), join(modules, "semver"), { recursive: true });
  await mkdir(join(modules, "@types"));
  await symlink(join(ROOT, "node_modules/@types/node"), join(modules, "@types/node"));
  await symlink(join(ROOT, "node_modules/undici-types"), join(modules, "undici-types"));
}, PATIENCE);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function unpack(file: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await run("tar", ["-xzf", file, "-C", into, "--strip-components=1"]);
}

test.each([
  ["host", { semver: "7.8.6" }],
  ["conformance", {}],
])("[G1] %s asks for nothing of this repository", async (name, dependencies) => {
  const manifest: { readonly [member: string]: unknown } = JSON.parse(
    await readFile(join(modules, "@reasonix-ts", name, "package.json"), "utf8"),
  );
  expect(manifest["dependencies"]).toEqual(dependencies);
  expect(Object.keys(manifest)).not.toContain("private");
  expect(Object.keys(manifest)).not.toContain("devDependencies");
});

const PROGRAM = `
import { createHost, mintStartPermission, type HostOptions, type Notice, type SidecarSpec } from "@reasonix-ts/host";

const [, , command = ""] = process.argv;
const spec: SidecarSpec = {
  plugin: "python-notes", version: "0.1.0", source: "a test", root: process.cwd(), command, args: [], env: {}, required: true, priority: 0, timeoutMillis: 0,
  intercepts: ["input.receive"], replaces: [], capabilities: ["interceptors"], tools: [],
  requires: [{ namespace: "acme", kind: "store", id: "kv", versionRange: "^1.2" }],
  provides: [{ namespace: "acme", kind: "store", id: "kv", version: "1.4.0" }],
};
const notices: Notice[] = [];
const options: HostOptions = {
  specs: [spec],
  permission: mintStartPermission("a test"),
  session: { sessionId: "s1", workspaceRoot: process.cwd() },
  uiHost: "headless",
  environment: process.env,
  ports: { notice: (one) => void notices.push(one), audit: async () => {}, askPerson: null, ui: null },
};
// @ts-expect-error options are checked
export const wrong: HostOptions = { ...options, uiHost: "browser" };

const boot = await createHost(options);
if (boot.kind === "failed") throw new Error(boot.failures.map(({ message }) => message).join());
const lease = boot.host.lease();
console.log(JSON.stringify(await lease.rule("input.receive", { text: "hello" }, {})));
lease.release();
await boot.host.stop();
`;

test("[G1] [L1] [I7] a program outside of the repository compiles against the host, and runs a sidecar with it", async () => {
  const consumer = join(folder, "consumer");
  await writeFile(join(consumer, "package.json"), '{ "type": "module" }');
  await writeFile(join(consumer, "program.ts"), PROGRAM);
  const tsc = join(ROOT, "node_modules/ts7/bin/tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--types", "node"];
  const args = [tsc, ...strict, "--module", "nodenext", "--moduleResolution", "nodenext", "program.ts"];
  const complaints = await run(process.execPath, args, { cwd: consumer }).then(
    () => "",
    (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
  );
  expect(complaints).toBe("");
  const sidecar = join(ROOT, "examples/python-notes/sidecar.py");
  const { stdout } = await run(process.execPath, ["program.js", sidecar], { cwd: consumer });
  expect(JSON.parse(stdout)).toMatchObject({ kind: "proceed", payload: { text: "hello\n(noted)" } });
});

test("[G3] the referee's command runs where it was installed", async () => {
  const program = join(modules, "@reasonix-ts/conformance/bin/reasonix-conformance.mjs");
  const args = [program, "--only", "intercept.input.receive", join(ROOT, "examples/python-notes")];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  expect(stdout).toContain("1 passed, 0 failed, 0 warnings, 0 did not apply. It conforms.");
});
