/** How Windows is asked to run `npx`, `tool.cmd` or `tool.bat`, which it cannot start in exec form (pure). */
import path from "node:path";

export interface WindowsLaunch {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already and must reach the system as they are. */
  readonly verbatim: boolean;
}

/** The files a command may stand for, in the order Windows looks for them. `env` is read without regard to case. */
export function windowsCandidates(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const endings = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";").filter((ending) => ending !== "");
  const isPath = /[\\/]/.test(command);
  const directories = isPath ? [cwd] : (variable(env, "PATH") ?? "").split(";").filter((directory) => directory !== "");
  const names = path.win32.extname(command) === "" ? endings.map((ending) => command + ending) : [command];
  return directories.flatMap((directory) => names.map((name) => path.win32.resolve(directory, name)));
}

/** A batch file goes through the command processor with every argument literal; any other file is started as it is. */
export function windowsLaunch(file: string, args: readonly string[], commandProcessor = "cmd.exe"): WindowsLaunch {
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const broken = [file, ...args].find((text) => /[\r\n\0]/.test(text));
  if (broken !== undefined) {
    throw new TypeError(
      `${JSON.stringify(broken)} holds a line end or NUL, which a batch file would cut: start the program behind ${file} directly.`,
    );
  }
  const line = [escapeOnce(file), ...args.map(escapeTwice)].join(" ");
  // /d: no AutoRun commands of the user; /s: take the outer quotes off and nothing else.
  return { file: commandProcessor, args: ["/d", "/s", "/c", `"${line}"`], verbatim: true };
}

/**
 * A batch file passes its arguments on through `%*`, so the command processor reads them twice. Escaped once, a quote
 * inside an argument would end the quoting on the second reading, and what follows would run as a command.
 */
function escapeTwice(argument: string): string {
  return escapeOnce(escapeOnce(quoteForProgram(argument)));
}

function escapeOnce(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&");
}

/** The quoting that programs undo themselves: backslashes count only before a quote, and there they are doubled. */
function quoteForProgram(argument: string): string {
  return `"${argument.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote === "" ? "" : '\\"'))}"`;
}

function variable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}
