import { describe, expect, test } from "vitest";
import { parseOptions, positive } from "../src/args.ts";
import { COMMANDS, findCommand } from "../src/commands/table.ts";
import { helpFor } from "../src/commands/help.ts";
import { CommandError } from "../src/world.ts";

function named(argv: readonly string[]): string {
  const found = findCommand(argv);
  return found.kind === "found" ? `${found.command?.name ?? "help"} ${found.rest.join(" ")}`.trim() : `? ${found.near}`;
}

function failure(run: () => unknown): CommandError {
  try {
    run();
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("finding the command", () => {
  test.each([
    [[], "chat"],
    [["--model", "a/b"], "chat --model a/b"],
    [["run", "do it"], "run do it"],
    [["-p", "do it"], "run do it"],
    [["--model", "a/b", "-p", "do it"], "run --model a/b do it"],
    [["plugin", "list"], "plugin list"],
    [["--help"], "help"],
    [["plugn", "list"], "? plugin"],
  ])("%j is %s", (argv, expected) => {
    expect(named(argv)).toBe(expected);
  });
});

describe("options", () => {
  const run = COMMANDS.find((command) => command.name === "run");
  if (run === undefined) throw new Error("no run");

  test("are read by the command's table", () => {
    const parsed = parseOptions(run, [
      "--model",
      "a/b",
      "--add-dir",
      "x",
      "--add-dir",
      "y",
      "--safe",
      "hello",
      "there",
    ]);
    expect([parsed.text("model"), parsed.texts("add-dir"), parsed.flag("safe"), parsed.words]).toEqual([
      "a/b",
      ["x", "y"],
      true,
      ["hello", "there"],
    ]);
  });

  test("a wrong one exits with 2 and points at the help", () => {
    const error = failure(() => parseOptions(run, ["--modle", "x"]));
    expect(error.exitCode).toBe(2);
    expect(error.message).toBe("Unknown option '--modle'. See `reasonix run --help`.");
  });

  test("a value outside its choices lists them", () => {
    const error = failure(() => parseOptions(run, ["--approvals", "yes"]));
    expect([error.exitCode, error.message]).toEqual([
      2,
      '--approvals takes one of ask, auto, never, not "yes". See `reasonix run --help`.',
    ]);
  });

  test.each(["0", "-1", "many", ""])("a limit of %j is refused", (text) => {
    expect(failure(() => positive("run", "max-steps", text)).message).toContain("takes a number above zero");
  });

  test("help fits 80 columns", () => {
    const pages = [helpFor(null, COMMANDS), ...COMMANDS.map((command) => helpFor(command, COMMANDS))];
    for (const line of pages.join("\n").split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
  });
});
