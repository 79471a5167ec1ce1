/** Packages whose program runs while they are updated, switched and removed. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { installPlugins, removePlugin, setPluginEnabled, showPlugin, updatePlugins } from "../src/index.ts";
import { bench, commit, git, MACHINE, repository, temporary, V2, write, type Files } from "./support/workbench.ts";

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** A program that stands in its own folder, has a file of it open, and reads that file to its end when it is told to. */
const HOLDS = '#!/bin/sh\ncd "$(dirname "$0")" && exec 3<data.txt && echo ready && read go && cat <&3 && pwd\n';

const holding = (build: string): Files => ({
  "reasonix-plugin.json": {
    apiVersion: V2,
    name: "rt-good",
    version: "1.0.0",
    runtime: { command: "./run.sh", intercepts: ["input.receive"] },
  },
  "data.txt": `${build}\n`,
  "run.sh!": HOLDS,
});

interface Held {
  readonly child: ChildProcess;
  /** Lets it go on; what it then said, and how it ended. */
  readonly end: () => Promise<{ readonly code: number | null; readonly said: string }>;
}

async function hold(root: string): Promise<Held> {
  const child = spawn(path.join(root, "run.sh"), { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  running.push(child);
  let said = "";
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.startsWith("ready\n")) resolve();
    });
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", resolve);
  });
  await ready;
  return {
    child,
    async end() {
      child.stdin.end("go\n");
      const code = await ended;
      return { code, said: said.slice("ready\n".length) };
    },
  };
}

it("[M1] [case N-03] an update under a running program: it reads its old files to the end, and the new tree is whole", async () => {
  const repo = repository(holding("old"));
  const url = path.join(temporary("plugins-bare-"), "repo.git");
  git(repo, "clone", "--quiet", "--bare", repo, url);
  const { home, place, request } = bench();
  await installPlugins(request(url), place);
  const root = path.join(home, "plugins/rt-good");
  const held = await hold(root);

  write(repo, holding("new"));
  commit(repo, "second");
  git(repo, "push", "--quiet", url, "main");
  expect(await updatePlugins([], "yes", place)).toMatchObject({ applied: true, updates: [{ verdict: "update" }] });
  expect(readFileSync(path.join(root, "data.txt"), "utf8")).toBe("new\n");
  expect((await showPlugin(home, "rt-good", MACHINE)).content).toBe("intact");
  // What is left of the old tree is swept by the next change at the latest, program or not.
  await setPluginEnabled(home, "rt-good", true);
  expect(readdirSync(path.join(home, "plugins"))).toEqual(["rt-good"]);
  expect(held.child.exitCode).toBeNull();

  const next = await hold(root);
  expect((await held.end()).said.split("\n")[0]).toBe("old");
  expect(await next.end()).toMatchObject({ code: 0, said: expect.stringMatching(/^new\n/) });
});

it("[M1] [case N-03] a removal under a running program leaves nothing behind and ends nothing", async () => {
  const { home, place, request } = bench();
  await installPlugins(request(write(temporary(), holding("old"))), place);
  const root = path.join(home, "plugins/rt-good");
  const held = await hold(root);
  await removePlugin(home, "rt-good");
  expect(existsSync(root)).toBe(false);
  expect(readdirSync(path.join(home, "plugins"))).toEqual([]);
  expect(held.child.exitCode).toBeNull();
  expect((await held.end()).said.split("\n")[0]).toBe("old");
});
