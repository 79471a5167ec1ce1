/**
 * What people wait for at the command line, each against the least that such a command could cost, turn about.
 * `--json` prints the rows as JSON, `--quick` one short run, `--only=<text>` the rows whose name holds the text.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { timeCommand, type Command } from "./commands/command.ts";
import { makeHomeWithPlugins, makePackage } from "./commands/fixtures.ts";
import { printRows, rowOf, type Comparison, type Round } from "./measure/rows.ts";

interface Scenario extends Comparison {
  readonly rounds: number;
  /** A fresh pair of commands for each round. */
  readonly pair: (round: string) => { readonly ours: Command; readonly theirs: Command };
}

const FILES = 2_000;
const PLUGINS = 200;
const launcher = fileURLToPath(new URL("../../packages/reasonix/bin/reasonix.mjs", import.meta.url));

main();

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), "bench-commands-"));
  try {
    const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length) ?? "";
    const quick = process.argv.includes("--quick");
    const wanted = scenariosIn(folder).filter(({ row }) => row.includes(only));
    const rows = wanted.map((scenario) => rowOf(scenario, measure(scenario, quick ? 1 : 3)));
    printRows(rows, process.argv.includes("--json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure({ pair, rounds }: Scenario, runs: number): readonly (readonly Round[])[] {
  return Array.from({ length: runs }, (_, run) =>
    Array.from({ length: rounds }, (_unused, round): Round => {
      const { ours, theirs } = pair(`${run}-${round}`);
      // Who goes first changes with the round.
      if (round % 2 === 0) {
        const mine = timeCommand(ours);
        return { ours: mine, theirs: timeCommand(theirs) };
      }
      const other = timeCommand(theirs);
      return { ours: timeCommand(ours), theirs: other };
    }),
  );
}

function scenariosIn(folder: string): readonly Scenario[] {
  const pin = spawnSync("taskset", ["-c", "1", "true"]).status === 0 ? ["taskset", "-c", "1"] : [];
  const node = (args: readonly string[], home = join(folder, "empty")): Command => ({
    words: [...pin, process.execPath, ...args],
    env: { PATH: process.env["PATH"], HOME: folder, REASONIX_HOME: home },
    cwd: folder,
  });
  const bare = node(["-e", "0"]);
  const full = makeHomeWithPlugins(join(folder, "full"), PLUGINS);
  const source = makePackage(join(folder, "source"), "bench-package", FILES);
  const against = "node -e 0";
  return [
    {
      row: "reasonix --version",
      against,
      unit: "ms",
      atMost: 1.6,
      rounds: 20,
      pair: () => ({ ours: node([launcher, "--version"]), theirs: bare }),
    },
    {
      row: `plugin list, ${PLUGINS} plugins`,
      against,
      unit: "ms",
      rounds: 10,
      pair: () => ({ ours: { ...node([launcher, "plugin", "list"], full), says: "bench-plugin-0 " }, theirs: bare }),
    },
    {
      row: `plugin install, ${FILES} files`,
      against: "cp -r",
      unit: "ms",
      rounds: 5,
      pair: (round) => ({
        ours: node([launcher, "plugin", "install", source, "--yes"], join(folder, `home-${round}`)),
        theirs: { ...bare, words: [...pin, "cp", "-r", source, join(folder, `copy-${round}`)] },
      }),
    },
  ];
}
