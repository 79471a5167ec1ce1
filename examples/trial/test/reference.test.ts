/** The examples' manifests on the reference host, where its binary exists. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const examples = fileURLToPath(new URL("../../", import.meta.url));
const reference = join(examples, "../node_modules/@reasonix/cli-linux-x64/bin/reasonix");
const isSupported = process.platform === "linux" && process.arch === "x64";

/** Examples whose point is newer than the reference host → what it says of them. */
const NEWER: { readonly [example: string]: string } = { "web-tools": 'unknown field "tools"' };

const packages = readdirSync(examples).filter((name) => existsSync(join(examples, name, "reasonix-plugin.json")));

test("[G2] there are examples to judge", () => {
  expect(packages).toContain("starter");
  expect(packages).toContain("web-tools");
});

if (isSupported) {
  describe("the reference host", () => {
    let home = "";

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), "reference-"));
    });

    afterAll(() => rm(home, { recursive: true, force: true }));

    test.each(packages)("[M2] [G1] %s: its manifest is accepted, unless its point is newer", async (name) => {
      const { code, output } = await preview(name, home);
      const newer = NEWER[name];
      if (newer === undefined)
        expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('"planned"') });
      else expect({ code: code === 0, output }).toEqual({ code: false, output: expect.stringContaining(newer) });
    });
  });
}

function preview(name: string, home: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const args = ["plugin", "install", `./${name}`, "--link", "--dry-run"];
  const options = {
    cwd: examples,
    env: { PATH: process.env["PATH"], HOME: home, REASONIX_HOME: home },
    timeout: 30_000,
  };
  return new Promise((resolve) => {
    const child = execFile(reference, args, options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, output: `${stdout}${stderr}` });
    });
  });
}
