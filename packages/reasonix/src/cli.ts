/** Finds the command, parses its options, runs it, and makes one text of whatever fails. */
import { createRedactor, stripControls } from "@reasonix-ts/text";
import { parseOptions, type OptionTable } from "./args.ts";
import type { CommandRow } from "./commands/row.ts";
import { COMMANDS, findCommand, findVerb, verbOptions } from "./commands/table.ts";
import { CommandError, EXIT, type World } from "./world.ts";
import { columnsOf, wrapLines } from "./wrap.ts";

export async function main(argv: readonly string[], world: World): Promise<number> {
  endQuietlyOnBrokenPipe(world);
  try {
    return await dispatch(argv, world);
  } catch (error) {
    return report(error, argv, world);
  }
}

async function dispatch(argv: readonly string[], world: World): Promise<number> {
  if (argv.includes("--version")) {
    world.stdout.write(`${world.version}\n`);
    return EXIT.done;
  }
  const found = findCommand(argv);
  if (found.kind === "unknown") {
    const hint = found.near === null ? "" : ` Did you mean \`reasonix ${found.near}\`?`;
    throw new CommandError(
      `There is no command "${found.word}".${hint} \`reasonix --help\` lists the commands.`,
      EXIT.usage,
    );
  }
  const { command, rest } = found;
  const verbs = (await command?.verbs?.()) ?? null;
  const verb = verbs === null ? null : findVerb(verbs, rest);
  if (rest.includes("--help") || rest.includes("-h") || command === null) {
    const { helpFor, verbHelp } = await import("./commands/help.ts");
    world.stdout.write(
      command !== null && verb !== null ? verbHelp(command, verb) : helpFor(command, COMMANDS, verbs ?? []),
    );
    return EXIT.done;
  }
  if (verb !== null)
    return runCommand(command, { name: `${command.name} ${verb.name}`, options: verb.options }, rest, world);
  // Of a verb that there is none of, the command itself tells.
  const { name, options } = command;
  return runCommand(command, { name, options: { ...options, ...verbOptions(verbs ?? []) } }, rest, world);
}

async function runCommand(
  command: CommandRow,
  known: { readonly name: string; readonly options: OptionTable },
  rest: readonly string[],
  world: World,
): Promise<number> {
  const parsed = parseOptions(known, rest);
  const run = await command.load();
  return run(parsed, world);
}

/** The one door of errors to people: nothing that a terminal obeys, and no secret, passes it. */
function report(error: unknown, argv: readonly string[], world: World): number {
  const { redact } = createRedactor({ environment: world.env });
  const tell = (text: string): void =>
    void world.stderr.write(
      `${wrapLines([`reasonix: ${redact(stripControls(text))}`], columnsOf(world.stderr)).join("\n")}\n`,
    );
  if (error instanceof CommandError) {
    tell(error.message);
    return error.exitCode;
  }
  const shown = error instanceof Error ? error : new Error(String(error));
  const detail = argv.includes("--debug") ? `\n${shown.stack ?? ""}` : " Run again with --debug for the details.";
  tell(`${shown.message}${detail}`);
  return EXIT.failed;
}

/** `reasonix … | head -1` is no error: the reader has seen enough. */
function endQuietlyOnBrokenPipe(world: World): void {
  for (const stream of [world.stdout, world.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(EXIT.done);
      throw error;
    });
  }
}
