import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loginPath } from "../src/login-path.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "reasonix-shell-"));
});
afterAll(() => rm(folder, { recursive: true }));

const terminal = Object.assign(new PassThrough(), { isTTY: true });

/** A shell whose login files are these lines. */
async function shell(name: string, files: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n[ "$1 $2" = "-l -c" ] || exit 9\n${files}\neval "$3"\n`, { mode: 0o755 });
  return file;
}

test("[case K-03] the login shell is asked with a desktop's PATH, whatever its files print", async () => {
  const SHELL = await shell("plain", 'echo Welcome\nexport PATH="/opt/tools:$PATH"');
  const env = { SHELL, PATH: "/of/this/terminal" };
  expect(await loginPath({ env, stdout: terminal })).toBe("/opt/tools:/usr/bin:/bin:/usr/sbin:/sbin");
});

test("[case K-03] what is no terminal, and a shell that fails or is none, leaves it unknown", async () => {
  const SHELL = await shell("good", "");
  expect(await loginPath({ env: { SHELL }, stdout: new PassThrough() })).toBeNull();
  const broken = await shell("broken", "exit 1");
  for (const one of [undefined, "", "bash", join(folder, "gone"), broken])
    expect(await loginPath({ env: { SHELL: one }, stdout: terminal })).toBeNull();
});

test("[case K-03] a shell that never ends is given up and ended", async () => {
  const SHELL = await shell("stuck", "sleep 600");
  expect(await loginPath({ env: { SHELL }, stdout: terminal, patienceMillis: 100 })).toBeNull();
});
