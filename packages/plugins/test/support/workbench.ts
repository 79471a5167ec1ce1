/** Temporary homes and packages made of real files, and everything removed again. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach } from "vitest";
import type { InstallRequest, Machine, Workplace } from "../../src/index.ts";

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty directory that is removed after the test. */
export function temporary(name = "plugins-test-"): string {
  const folder = mkdtempSync(path.join(tmpdir(), name));
  made.push(folder);
  return folder;
}

export type Files = { readonly [file: string]: string | Uint8Array | object };

/** Writes files; objects become JSON, and names that end in `!` become executable. */
export function write(folder: string, files: Files): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name.replace(/!$/, ""));
    mkdirSync(path.dirname(file), { recursive: true });
    const raw = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(file, raw ? content : JSON.stringify(content));
    if (name.endsWith("!")) chmodSync(file, 0o755);
  }
  return folder;
}

export const V2 = "reasonix.io/plugin/v2";

/** A package whose runtime is a shell script that would start. */
export function goodPackage(
  more: { readonly name?: string; readonly version?: string; readonly runtime?: object } = {},
): Files {
  return {
    "reasonix-plugin.json": {
      apiVersion: V2,
      name: more.name ?? "rt-good",
      version: more.version ?? "1.0.0",
      description: "A runtime that starts.",
      runtime: { command: "./run.sh", intercepts: ["input.receive"], ...more.runtime },
    },
    "run.sh!": "#!/bin/sh\nexec cat\n",
  };
}

export const MACHINE: Machine = {
  platform: process.platform,
  arch: process.arch,
  node: process.execPath,
  environment: { ...process.env, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
};

export interface Bench {
  readonly home: string;
  readonly cwd: string;
  readonly place: Workplace;
  readonly request: (source: string, more?: Partial<InstallRequest>) => InstallRequest;
}

export function bench(more: Partial<Workplace> = {}): Bench {
  const root = temporary();
  const home = more.home ?? path.join(root, "home");
  const cwd = path.join(root, "work");
  mkdirSync(cwd);
  mkdirSync(path.join(root, "tmp"));
  return {
    home,
    cwd,
    place: { home, cwd, machine: MACHINE, temporary: path.join(root, "tmp"), ...more },
    request: (source, rest = {}) => ({ source, consent: "yes", ...rest }),
  };
}

/** One digest over every path, mode, link and byte below a folder; of a missing folder it is "none". */
export function checksum(folder: string): string {
  if (!existsSync(folder)) return "none";
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const file = path.join(folder, name);
    const stats = lstatSync(file);
    hash.update(`${name}\0${stats.mode}\0`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(file));
    else if (stats.isFile()) hash.update(readFileSync(file));
  }
  return hash.digest("hex");
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

export function git(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** A work tree with one commit of these files. */
export function repository(files: Files): string {
  const folder = temporary("plugins-repo-");
  git(folder, "init", "--quiet");
  write(folder, files);
  commit(folder, "first");
  return folder;
}

export function commit(folder: string, message: string): string {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", message);
  return git(folder, "rev-parse", "HEAD").trim();
}
