/** Finds the program that a command really runs: behind assignments, keywords, `sudo`, `env`, `xargs` and their like. */
import type { Command, Word } from "./script.ts";

export interface Invocation {
  /** The program's name without its folder; empty if the command runs none. */
  readonly program: string;
  readonly args: readonly Word[];
}

/** Words of the shell's grammar that may stand before a command. */
const KEYWORDS = new Set(["{", "}", "!", "if", "then", "elif", "else", "while", "until", "do", "time", "fi", "done"]);

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

interface Wrapper {
  /** Options that take the next word. */
  readonly withValue: readonly string[];
  /** Words after the options that are not yet the command. */
  readonly operands: number;
}

const WRAPPERS: { readonly [program: string]: Wrapper } = {
  sudo: { withValue: ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "-r", "-t"], operands: 0 },
  doas: { withValue: ["-u", "-C"], operands: 0 },
  env: { withValue: ["-u", "-C", "-S"], operands: 0 },
  nice: { withValue: ["-n"], operands: 0 },
  ionice: { withValue: ["-c", "-n"], operands: 0 },
  nohup: { withValue: [], operands: 0 },
  setsid: { withValue: [], operands: 0 },
  stdbuf: { withValue: ["-i", "-o", "-e"], operands: 0 },
  timeout: { withValue: ["-k", "-s"], operands: 1 },
  chroot: { withValue: [], operands: 1 },
  command: { withValue: [], operands: 0 },
  builtin: { withValue: [], operands: 0 },
  exec: { withValue: ["-a"], operands: 0 },
  busybox: { withValue: [], operands: 0 },
  toybox: { withValue: [], operands: 0 },
  xargs: { withValue: ["-I", "-n", "-P", "-L", "-d", "-s", "-E", "-a"], operands: 0 },
};

export function unwrap(command: Pick<Command, "words">): Invocation {
  let words = command.words;
  for (;;) {
    words = words.slice(countWhile(words, ({ text }) => KEYWORDS.has(text) || ASSIGNMENT.test(text)));
    const [first, ...rest] = words;
    if (first === undefined) return { program: "", args: [] };
    const program = first.text.slice(first.text.lastIndexOf("/") + 1);
    const wrapper = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
    // `command -v rm` looks a program up and runs nothing.
    const looksUp = program === "command" && rest.some(({ text }) => text === "-v" || text === "-V");
    if (wrapper === undefined || looksUp) return { program, args: rest };
    words = rest.slice(countOptions(rest, wrapper.withValue) + wrapper.operands);
  }
}

function countOptions(words: readonly Word[], withValue: readonly string[]): number {
  let count = 0;
  for (let word = words[count]; word !== undefined; word = words[count]) {
    if (word.text === "--") return count + 1;
    if (!word.text.startsWith("-") || word.text === "-") return count;
    count += withValue.includes(word.text) ? 2 : 1;
  }
  return count;
}

function countWhile<T>(items: readonly T[], test: (item: T) => boolean): number {
  const end = items.findIndex((item) => !test(item));
  return end === -1 ? items.length : end;
}
