/** Says which programs the words of one simple command run: behind keywords and assignments, and behind programs that run others. */

export interface Word {
  readonly text: string;
  /** Holds an expansion, so that its value is not known. */
  readonly expands: boolean;
  /** Holds a quote or an escape: then it is no keyword and no assignment. */
  readonly quoted: boolean;
}

export interface SimpleCommand {
  /** The command, and what it runs in turn: words joined by single spaces. */
  readonly parts: readonly string[];
  /** Why reading it does not tell all that it runs; null when it does. */
  readonly opaque: string | null;
}

/** `keywords` is false where a redirection came first: there bash knows none. */
export function simpleCommand(words: readonly Word[], keywords: boolean): SimpleCommand {
  const parts: string[] = [];
  let opaque: string | null = null;
  const give = (why: string): void => {
    opaque ??= why;
  };
  let rest = words;
  while (keywords && rest[0]?.quoted === false && KEYWORDS.test(rest[0].text)) rest = rest.slice(1);
  while (rest[0]?.quoted === false && /^\w+\+?=/.test(rest[0].text)) {
    const name = rest[0].text.split(/\+?=/, 1)[0] ?? "";
    // An assignment can change what a later word runs.
    if (DANGEROUS_VARIABLES.test(name)) give(`it sets ${name}`);
    rest = rest.slice(1);
  }
  for (;;) {
    const first = rest[0];
    if (first === undefined) return { parts, opaque };
    if (UNREADABLE.test(first.text)) give(`it has ${first.text}`);
    // A space inside a name would look like two words to a rule.
    const generated = first.text !== "[" && /[\s*?[\]]|\{.*[,.].*\}/.test(first.text);
    if (first.expands || generated) give("the name of a program in it is not known");
    const name = first.text.slice(first.text.lastIndexOf("/") + 1);
    if (INTERPRETERS.test(name)) give(`it runs ${name}`);
    if (computesNames(name, rest.slice(1))) give(`${name} may run what stands in its words`);
    parts.push(textOf(rest));
    const takesValue = RUNNERS.get(name);
    if (takesValue === undefined) return { parts, opaque };
    // As a keyword it has one option, as a program many: what another one would be cannot be told.
    if (name === "time" && /^-(?!p$)/.test(rest[1]?.text ?? "")) give("it runs time with options");
    const splits = (word: Word): boolean => /^(?:-\w*S|--split-string)/.test(word.text);
    if (name === "env" && rest.some(splits)) give("it runs what env takes apart itself");
    rest = behindOptions(rest.slice(1), takesValue);
    // To env a lone dash is an option, to others a program's name: it counts as both.
    while (rest[0]?.text === "-") {
      parts.push(textOf(rest));
      rest = behindOptions(rest.slice(1), takesValue);
    }
    // `timeout 5 make`: the duration comes before the program.
    if (name === "timeout") rest = rest.slice(1);
    // `env A=1 make`: here assignments are words like any other, quoted or not; to others it is a program's name.
    while (SETS_VARIABLES.test(name) && rest[0]?.text.includes("=") === true) {
      if (!/^\w+\+?=/.test(rest[0].text)) parts.push(textOf(rest));
      if (DANGEROUS_VARIABLES.test(rest[0].text.split("=", 1)[0] ?? "")) give("it sets what decides over programs");
      rest = rest.slice(1);
    }
  }
}

/** Programs that run the rest of their words, with the options of theirs that take a value. */
const RUNNERS: ReadonlyMap<string, RegExp> = new Map([
  ["command", /^$/],
  ["builtin", /^$/],
  ["exec", /^-a$/],
  ["env", /^-[uCS]$/],
  ["nice", /^-n$/],
  ["nohup", /^$/],
  ["setsid", /^$/],
  ["stdbuf", /^-[ioe]$/],
  ["time", /^-[fo]$/],
  ["timeout", /^-[ks]$/],
  ["sudo", /^-[ugpCh]$/],
  ["doas", /^-u$/],
  ["xargs", /^-[EILnPsda]$/],
]);

/** Programs that run text which is not read here. */
const INTERPRETERS = /^(?:eval|source|trap|\.|bash|sh|dash|zsh|ksh|fish|busybox)$/;

/** Builtins that take names of variables: in `a[$(make)]` the subscript is run, quoted or not. */
const TAKES_NAMES = /^(?:declare|typeset|local|readonly|read|unset|getopts)$/;
/** Builtins that compute, take a program to run later, or change what a name runs. */
const TAKES_CODE = /^(?:let|alias|bind|compgen|complete|enable|hash|mapfile|readarray)$/;

function computesNames(program: string, args: readonly Word[]): boolean {
  const setsDangerous = ({ text }: Word): boolean => DANGEROUS_VARIABLES.test(text.split(/\+?=/, 1)[0] ?? "");
  if (TAKES_CODE.test(program)) return true;
  if (program === "export") return args.some(setsDangerous);
  if (TAKES_NAMES.test(program)) {
    return args.some((word) => word.expands || word.text.includes("[") || setsDangerous(word));
  }
  const format = args[0];
  if (program === "printf" && format !== undefined) {
    return format.expands || (/^[-{*?[]/.test(format.text) && format.text !== "--");
  }
  return /^(?:test|\[)$/.test(program) && args.some(({ text }) => /^-[vR]$/.test(text));
}

const KEYWORDS = /^(?:if|then|elif|else|fi|while|until|do|done|\{|\}|!)$/;
const SETS_VARIABLES = /^(?:env|sudo|doas|time)$/;
const DANGEROUS_VARIABLES =
  /^(?:PATH|LD_\w+|DYLD_\w+|BASH_ENV|ENV|IFS|PROMPT_COMMAND|GIT_\w+|NODE_OPTIONS|PYTHON\w+|PERL5\w+)$/;
const UNREADABLE = /^(?:for|case|select|function|coproc|\[\[)$/;

function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

function behindOptions(words: readonly Word[], takesValue: RegExp): readonly Word[] {
  let index = 0;
  while (index < words.length && /^-./.test(words[index]?.text ?? "")) {
    const text = words[index]?.text ?? "";
    index++;
    if (text === "--") break;
    if (takesValue.test(text)) index++;
  }
  return words.slice(index);
}
