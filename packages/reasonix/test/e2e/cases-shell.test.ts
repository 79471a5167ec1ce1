/** The command as shells use it: in pipes whose readers leave, in a folder that is gone, with a short PATH. */
import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { BIN, openApp, type App } from "../support/app.ts";

const run = promisify(execFile);

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of bash with `r` for the command, which fails where any part of a pipe does. Nothing is typed. */
async function shell(app: App, line: string): Promise<Ended> {
  const script = `exec </dev/null; set -o pipefail; r() { "${process.execPath}" "${BIN}" "$@"; }; ${line}`;
  return run("bash", ["-c", script], { cwd: app.workspace, env: app.env, timeout: 60_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

test("[case K-02] a reader that has seen enough ends a pipe quietly, with success", async () => {
  const app = await openApp();
  await app.plugin("good", { intercepts: ["input.receive"] });
  const lines = [
    "r plugin list --json | head -1",
    "r plugin show good | true",
    "r doctor | head -c 10",
    "r run 'REPEAT 50000 on and on' | head -1",
    "r run --output-format stream-json 'REPEAT 50000 on and on' | head -1",
  ];
  for (const line of lines) {
    const { code, stderr } = await shell(app, line);
    expect([line, code, stderr.match(/EPIPE|^\s+at /m)]).toEqual([line, 0, null]);
  }
});

test("[M1] [case N-13] in a folder that is gone packages are listed and installed, and what needs a folder names it", async () => {
  const app = await openApp();
  const source = join(app.folder, "source");
  await mkdir(source);
  const manifest = { apiVersion: "reasonix.io/plugin/v2", name: "words", prompts: [] };
  await writeFile(join(source, "reasonix-plugin.json"), JSON.stringify(manifest));
  const gone = (command: string): Promise<Ended> =>
    shell(app, `mkdir -p gone && cd gone && rmdir ../gone && ${command}`);
  const installed = await gone(`r plugin install ${source} --yes`);
  expect([installed.code, installed.stderr]).toEqual([0, ""]);
  expect((await gone("r plugin list")).stdout).toContain("words");
  expect(await gone("r run hi")).toMatchObject({
    code: 1,
    stderr: `reasonix: ${join(app.workspace, "gone")} is no folder that can be read. Give another with -C <dir>.\n`,
  });
  expect((await gone(`r run -C ${app.workspace} hi`)).stdout).toBe("You said: hi\n");
});

describe("with the PATH of a desktop", () => {
  const SHORT = "/nowhere/bin:/neither/bin";

  test("[case K-03] an interpreter that is not in it is named with what was searched, by run and by doctor", async () => {
    const app = await openApp();
    const root = await app.plugin("scripted", { intercepts: ["input.receive"], required: true });
    // With an execute bit and an interpreter line of its own it is started as it is.
    await chmod(join(root, "sidecar.mjs"), 0o755);
    const env = { PATH: SHORT };
    const [turn, doctor] = await Promise.all([
      app.run(["run", "hi"], { env }),
      app.run(["plugin", "doctor", "scripted"], { env }),
    ]);
    expect([turn.code, doctor.code]).toEqual([1, 1]);
    for (const text of [turn.stderr, doctor.stdout]) {
      expect(text).toContain("node");
      expect(text).toContain(`Searched: ${SHORT}`);
    }
  });
});
