import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { commandParts } from "../../src/permissions/command.ts";

/** Pieces of shell that together make every kind of command line, sound ones and broken ones. */
const WORDS = [
  "cmda",
  "cmdb",
  "cmdc",
  "'cmda'",
  '"cmdb"',
  "c\\mda",
  " ",
  " ",
  "\t",
  "\\\n",
  "~",
  "*",
  "!",
  "=",
  "- ",
  "-n ",
  "-- ",
];
const JOINTS = ["\n", ";", "&", "|", "&&", "||", "|&", "(", ")", "{ ", " ; }", "#", "if ", "; then ", "; fi", "! "];
const LOOPS = ["while false; do ", "; done", "case x in x) ", ";; esac", "f() ", "[[ ", "]]"];
const QUOTES = ["'", '"', "\\", "$'", "$(", "`", "<(", "$((1+", "))", "$X", "${X}", "{cmda,cmdb}", "A=1 ", "A+=x "];
const REDIRECTIONS = [">", "<", ">>", "2>&1", "&>", "<<<"];
const RUNNERS = ["env ", "timeout 5 ", "sudo ", "nohup ", "xargs ", "echo ", "time ", "command ", "exec "];
const PIECES = [WORDS, JOINTS, LOOPS, QUOTES, REDIRECTIONS, RUNNERS].flat();

/** Runs text with a bash that finds no program at all, and tells the names of those that it looked for. */
function programsThatBashRuns(text: string, folder: string): readonly string[] {
  const log = path.join(folder, "log");
  const handler = `command_not_found_handle() { printf '%s\\n' "$1" >> ${log}; }; export -f command_not_found_handle; : > ${log}\n`;
  const options = { cwd: folder, env: { PATH: path.join(folder, "none"), HOME: folder }, input: "", timeout: 10_000 };
  spawnSync("/bin/bash", ["-c", handler + text], options);
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((name) => name !== "");
}

describe("a shell command, taken apart", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "reasonix-shell-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("names every program that bash runs, unless it says that it cannot be read", () => {
    const commands = fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 })
      .map((pieces) => pieces.join(""));
    let ran = 0;
    fc.assert(
      fc.property(commands, (text) => {
        const { parts, opaque } = commandParts(text);
        if (opaque !== null) return;
        for (const program of programsThatBashRuns(text, folder)) {
          ran++;
          expect(parts.filter((part) => part === program || part.startsWith(`${program} `))).not.toEqual([]);
        }
      }),
      { numRuns: 800, seed: 20_260 },
    );
    expect(ran).toBeGreaterThan(30);
  });
});
