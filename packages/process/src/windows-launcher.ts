/** Wraps `npx`, `tool.cmd` and `tool.bat` for Windows, whose system cannot start them in exec form. */
import { createRequire } from "node:module";

export interface WindowsLaunch {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already and must reach the system as they are. */
  readonly verbatim: boolean;
}

/** The part of cross-spawn that turns a command into one for the command processor; its types leave it out. */
interface CommandParser {
  readonly _parse: (
    command: string,
    args: readonly string[],
  ) => {
    readonly command: string;
    readonly args: readonly string[];
    readonly options: { readonly windowsVerbatimArguments?: boolean };
  };
}

/** Every argument arrives literally: what the command processor would act on is escaped. A line end cannot be. */
export function windowsLaunch(command: string, args: readonly string[]): WindowsLaunch {
  const broken = [command, ...args].find((text) => /[\r\n\0]/.test(text));
  if (broken !== undefined) {
    throw new TypeError(
      `An argument of ${JSON.stringify(command)} holds a line end or NUL (${JSON.stringify(broken)}), which a Windows launcher would cut: start its program directly.`,
    );
  }
  // Typed by hand: `_parse` is public by use, not by declaration.
  const { _parse } = createRequire(import.meta.url)("cross-spawn") as CommandParser;
  const parsed = _parse(command, [...args]);
  return {
    file: parsed.command,
    args: parsed.args,
    verbatim: parsed.options.windowsVerbatimArguments === true,
  };
}
