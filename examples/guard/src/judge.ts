/** Judges a shell command part by part: what it runs itself, what it pipes into a shell, what it hides in quotes. */
import { foreignCode, forkBomb, redirectDanger, RULES, unreadable, type Danger } from "./dangers.ts";
import { readScript, type Command, type Pipeline, type Word } from "./script.ts";
import { unwrap, type Invocation } from "./unwrap.ts";

export interface Verdict {
  /** The part that is dangerous, as it was written, at most 100 characters. */
  readonly part: string;
  readonly danger: Danger;
}

/** The first danger in a command, or null. */
export function judge(command: string): Verdict | null {
  return judgeScript(command, 0);
}

const DEEPEST = 8;
const SHOWN = 100;
const SHELL = /^(?:ba|da|z|k|a|fi)?sh$/;
const INTERPRETER = /^(?:python[\d.]*|perl|ruby|node|php|deno|bun)$/;
const DOWNLOADER = /^(?:curl|wget|fetch|aria2c)$/;
const FORK_BOMB = /([\w:]+)\s*\(\s*\)\s*\{[^}]*(?<![\w:])\1\s*\|\s*\1(?![\w:])/;

function judgeScript(source: string, depth: number): Verdict | null {
  if (depth > DEEPEST) return verdict(source, unreadable);
  const { pipelines, bare } = readScript(source);
  if (FORK_BOMB.test(bare)) return verdict(source, forkBomb);
  for (const pipeline of pipelines) {
    const found = judgePipeline(pipeline, depth);
    if (found !== null) return found;
  }
  return null;
}

function judgePipeline(pipeline: Pipeline, depth: number): Verdict | null {
  const runs = pipeline.map(unwrap);
  for (const [at, command] of pipeline.entries()) {
    const run = runs[at] ?? { program: "", args: [] };
    const found =
      judgeProgram(command, run) ??
      judgeInput(pipeline, runs, at, depth) ??
      judgeCode(command, run, depth) ??
      judgeNested(command, depth);
    if (found !== null) return found;
  }
  return null;
}

/** What the program does by itself, and where its output goes. */
function judgeProgram(command: Command, { program, args }: Invocation): Verdict | null {
  const name = program.startsWith("mkfs.") ? "mkfs" : program;
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  const danger = rule?.(args) ?? null;
  if (danger !== null) return verdict(shown(command), danger);
  for (const { operator, target } of command.redirects) {
    const written = redirectDanger(operator, target.text);
    if (written !== null) return verdict(`${shown(command)} ${operator} ${target.text}`, written);
  }
  return null;
}

/** A shell or interpreter that reads its program from a pipe or a here-document. */
function judgeInput(pipeline: Pipeline, runs: readonly Invocation[], at: number, depth: number): Verdict | null {
  const run = runs[at];
  const command = pipeline[at];
  if (run === undefined || command === undefined || !readsProgram(run)) return null;
  const before = runs.slice(0, at);
  const whole = pipeline.map(shown).join(" | ");
  if (before.some(isForeign)) return verdict(whole, foreignCode);
  if (!SHELL.test(run.program)) return null;
  const printed = before.filter(({ program }) => program === "echo" || program === "printf").map(argsText);
  const piped = pipeline.slice(0, at).flatMap(({ input }) => input);
  return firstOf([...command.input, ...piped, ...printed], depth);
}

/** `sh -c "…"`, `eval "…"`, `source <(…)`: the words are a script. */
function judgeCode(command: Command, { program, args }: Invocation, depth: number): Verdict | null {
  if (program === "find") {
    const start = args.findIndex(({ text }) => /^-(?:exec|execdir|ok|okdir)$/.test(text));
    return start === -1 ? null : judgePipeline([{ words: args.slice(start + 1), redirects: [], input: [] }], depth + 1);
  }
  const isShell = SHELL.test(program);
  const evaluates = program === "eval" || program === "source" || program === ".";
  if (!isShell && !evaluates) return null;
  if (args.some(({ scripts }) => scripts.some(downloads))) return verdict(shown(command), foreignCode);
  if (program === "eval") return judgeScript(argsText({ args }), depth + 1);
  const flag = args.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/.test(text));
  const code = isShell && flag !== -1 ? args[flag + 1] : undefined;
  return code === undefined ? null : judgeScript(code.text, depth + 1);
}

function judgeNested(command: Command, depth: number): Verdict | null {
  const words = [...command.words, ...command.redirects.map(({ target }) => target)];
  return firstOf(
    words.flatMap(({ scripts }) => scripts),
    depth,
  );
}

function firstOf(scripts: readonly string[], depth: number): Verdict | null {
  for (const script of scripts) {
    const found = judgeScript(script, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Whether the program comes from standard input: no file, no module, no code is named. */
function readsProgram({ program, args }: Invocation): boolean {
  const texts = args.map(({ text }) => text);
  if (SHELL.test(program)) {
    if (texts.some((text) => /^-[a-z]*s$/.test(text))) return true;
    return !texts.some((text) => !text.startsWith("-") || /^-[a-z]*c[a-z]*$/.test(text));
  }
  if (!INTERPRETER.test(program)) return false;
  return texts.every((text) => text === "-") || (texts[0] === "-" && texts.length > 0);
}

/** What comes out of it cannot be read here: it is from the network or encoded. */
function isForeign({ program, args }: Invocation): boolean {
  if (DOWNLOADER.test(program)) return true;
  return (
    /^(?:base64|base32|xxd|openssl)$/.test(program) && args.some(({ text }) => /^-(?:-decode|[dDr]\w*)$/.test(text))
  );
}

function downloads(script: string): boolean {
  return readScript(script).pipelines.some((pipeline) => pipeline.map(unwrap).some(isForeign));
}

function argsText({ args }: { readonly args: readonly Word[] }): string {
  return args.map(({ text }) => text).join(" ");
}

function shown({ words }: Command): string {
  return words.map(({ text }) => text).join(" ");
}

function verdict(part: string, danger: Danger): Verdict {
  const line = part.trim().replaceAll(/\s+/g, " ");
  return { part: line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line, danger };
}
