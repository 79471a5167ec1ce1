/** Commands that neither change anything nor read a file: they need no question and no sandbox. */
import { commandParts } from "./command.ts";

/** Program → what its arguments may look like. */
const HARMLESS: { readonly [program: string]: RegExp } = {
  echo: /^/,
  // `-v` takes a name whose subscript is run, also where an expansion or a file name brings it: the format is plain.
  printf: /^[\w%\\]/,
  pwd: /^/,
  true: /^/,
  false: /^/,
  whoami: /^/,
  // `date -s` sets the clock and `-f` reads a file, behind the format too.
  date: /^(?:-u\s*)?(?:\+(?!.*\s-)[\w%:./,+ -]*)?$/,
  uname: /^/,
};

/** Whether every command that the text would run is one of those; a text that cannot be read through is not. */
export function isHarmless(command: string, writes: readonly unknown[]): boolean {
  if (writes.length > 0 || /[<>]/.test(command)) return false;
  const { parts, opaque } = commandParts(command);
  return opaque === null && parts.length > 0 && parts.every(isHarmlessPart);
}

function isHarmlessPart(part: string): boolean {
  const [program = ""] = part.split(/\s/, 1);
  const pattern = Object.hasOwn(HARMLESS, program) ? HARMLESS[program] : undefined;
  return pattern !== undefined && pattern.test(part.slice(program.length).trim());
}
