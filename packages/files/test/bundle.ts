/** Builds this package for child processes, since Node 20 does not load TypeScript. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A fresh directory; the caller removes it. */
export async function scratch(): Promise<string> {
  return realpath(await mkdtemp(path.join(tmpdir(), "files-")));
}

/** Writes a module with all exports of this package into the directory and returns its path. */
export async function bundleInto(directory: string): Promise<string> {
  const outfile = path.join(directory, "files.mjs");
  const entry = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return outfile;
}

/** Starts a program whose text may import from "./files.mjs" beside it. */
export async function start(
  directory: string,
  name: string,
  program: string,
  args: readonly string[] = [],
): Promise<ChildProcessByStdio<null, Readable, null>> {
  const file = path.join(directory, name);
  await writeFile(file, program);
  const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;
  return spawn(process.execPath, [file, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
}

/** Settles with the exit code, or null when a signal ended it. */
export function ended(child: ChildProcessByStdio<null, Readable, null>): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

/** Settles when the program has written this much to its output. */
export function said(child: ChildProcessByStdio<null, Readable, null>, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = "";
    child.stdout.on("data", (piece: Buffer) => {
      seen += piece.toString();
      if (seen.includes(text)) resolve();
    });
    child.once("exit", () => reject(new Error(`ended before it said ${text}, after ${JSON.stringify(seen)}`)));
  });
}
