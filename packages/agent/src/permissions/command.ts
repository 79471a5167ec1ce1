/** Takes a shell command apart into the simple commands that it would run, as far as that can be known by reading it. */
import { simpleCommand, type Word } from "./simple-command.ts";

export interface CommandParts {
  /** Simple commands, in the order of the text: words joined by single spaces, quotes taken off. */
  readonly parts: readonly string[];
  /** Files that redirections write to. */
  readonly writes: readonly string[];
  /** Why reading it does not tell all that it runs; null when it does. No rule allows such a command. */
  readonly opaque: string | null;
}

/**
 * Splits at `;`, `&`, `&&`, `||`, `|` and line ends, goes into `$(…)`, backticks and `( … )`, and leaves out assignments
 * and programs that only run another one (`env`, `nice`, `timeout 5`).
 */
export function commandParts(text: string): CommandParts {
  const parts: string[] = [];
  const writes: string[] = [];
  const reader = new Reader(text);
  readList(reader, parts, writes, null);
  return { parts, writes, opaque: reader.opaque };
}

/** Depth at which nested substitutions are no longer followed. */
const MAX_DEPTH = 20;

class Reader {
  readonly text: string;
  at = 0;
  depth: number;
  opaque: string | null = null;

  constructor(text: string, depth = 0) {
    this.text = text;
    this.depth = depth;
  }

  peek(length = 1): string {
    return this.text.slice(this.at, this.at + length);
  }

  give(why: string): void {
    this.opaque ??= why;
  }
}

type Piece = Omit<Word, "quoted">;

/** Reads commands up to `closer`, or to the end where that is null. */
function readList(reader: Reader, parts: string[], writes: string[], closer: ")" | null): void {
  if (++reader.depth > MAX_DEPTH) {
    reader.give("it is nested too deeply");
    reader.at = reader.text.length;
  }
  let words: Word[] = [];
  /** Behind a redirection there are no keywords any more. */
  let redirected = false;
  const end = (): void => {
    const command = simpleCommand(words, !redirected);
    parts.push(...command.parts);
    if (command.opaque !== null) reader.give(command.opaque);
    words = [];
    redirected = false;
  };
  while (reader.at < reader.text.length) {
    const char = reader.peek();
    if (char === closer) break;
    if (char === " " || char === "\t") {
      reader.at++;
    } else if (char === "\\" && reader.peek(2) === "\\\n") {
      reader.at += 2;
    } else if (char === "#" && isWordStart(reader)) {
      skipLine(reader);
    } else if (char === "\n" || char === ";" || char === "|" || (char === "&" && reader.peek(2) !== "&>")) {
      reader.at++;
      end();
    } else if (char === "(") {
      if (reader.peek(2) === "((") reader.give("it computes with what it runs");
      reader.at++;
      if (words.length > 0) reader.give("it defines a function or an array");
      readList(reader, parts, writes, ")");
      expect(reader, ")");
    } else if (char === ")") {
      reader.give("it has a parenthesis that closes nothing");
      reader.at++;
    } else if (isRedirection(reader)) {
      readRedirection(reader, parts, writes);
      redirected ||= words.length === 0;
    } else {
      words.push(readWord(reader, parts, writes));
    }
  }
  end();
  reader.depth--;
}

function isWordStart(reader: Reader): boolean {
  return reader.at === 0 || /[\s;|&(]/.test(reader.text[reader.at - 1] ?? "");
}

function skipLine(reader: Reader): void {
  const end = reader.text.indexOf("\n", reader.at);
  reader.at = end < 0 ? reader.text.length : end;
}

function expect(reader: Reader, closer: ")"): void {
  if (reader.peek() === closer) reader.at++;
  else reader.give(`it has no closing ${closer}`);
}

const REDIRECTION = /^(?:\d*|&)(<<<|<<-?|<>|<&|<(?!\()|>>|>\||>&|>(?!\())/;

function isRedirection(reader: Reader): boolean {
  return REDIRECTION.test(reader.peek(12));
}

function readRedirection(reader: Reader, parts: string[], writes: string[]): void {
  const match = REDIRECTION.exec(reader.peek(12));
  const operator = match?.[1] ?? "";
  reader.at += match?.[0].length ?? 1;
  if (operator === "<<" || operator === "<<-") {
    reader.give("it has a here-document");
    return;
  }
  while (reader.peek() === " " || reader.peek() === "\t") reader.at++;
  const target = readWord(reader, parts, writes);
  const duplicates = operator.endsWith("&") && /^(?:\d+|-)$/.test(target.text);
  if (!operator.includes(">") || duplicates || target.text === "/dev/null") return;
  if (target.expands) reader.give("it writes to a file whose name is not known");
  else writes.push(target.text);
}

function readWord(reader: Reader, parts: string[], writes: string[]): Word {
  let text = "";
  let expands = false;
  let quoted = false;
  const start = reader.at;
  while (reader.at < reader.text.length) {
    const char = reader.peek();
    if (/^[<>]\($/.test(reader.peek(2))) {
      // A process substitution is a part of the word that it stands in.
      reader.at += 2;
      readList(reader, parts, writes, ")");
      expect(reader, ")");
      text += "<(…)";
      expands = true;
      continue;
    }
    if (/[\s;|&()<>]/.test(char)) break;
    if (/['"\\]/.test(char)) quoted = true;
    if (char === "'") {
      const end = reader.text.indexOf("'", reader.at + 1);
      if (end < 0) reader.give("it has an open quote");
      text += reader.text.slice(reader.at + 1, end < 0 ? undefined : end);
      reader.at = end < 0 ? reader.text.length : end + 1;
    } else if (char === '"') {
      reader.at++;
      while (reader.at < reader.text.length && reader.peek() !== '"') {
        const piece = readPiece(reader, parts, writes, true);
        text += piece.text;
        expands ||= piece.expands;
      }
      if (reader.peek() === '"') reader.at++;
      else reader.give("it has an open quote");
    } else {
      const piece = readPiece(reader, parts, writes, false);
      text += piece.text;
      expands ||= piece.expands;
    }
  }
  // A character that no branch takes must not stop the reader.
  if (reader.at === start) {
    reader.give("it has a character out of place");
    reader.at++;
  }
  return { text, expands, quoted };
}

function readPiece(reader: Reader, parts: string[], writes: string[], quoted: boolean): Piece {
  const char = reader.peek();
  if (char === "\\") {
    const next = reader.text[reader.at + 1] ?? "\\";
    reader.at += 2;
    if (next === "\n") return { text: "", expands: false };
    return { text: quoted && !/["\\$`]/.test(next) ? `\\${next}` : next, expands: false };
  }
  if (reader.peek(2) === "$(") {
    if (reader.peek(3) === "$((") {
      reader.at += 3;
      const end = reader.text.indexOf("))", reader.at);
      // A variable is computed in turn, and `a[$(…)]` in its value would run; `$((…);(…))` is no arithmetic at all.
      if (end < 0 || /[^\d\s+*/%-]/.test(reader.text.slice(reader.at, end)))
        reader.give("it computes with what it runs");
      reader.at = end < 0 ? reader.text.length : end + 2;
      return { text: "$((…))", expands: true };
    }
    reader.at += 2;
    readList(reader, parts, writes, ")");
    expect(reader, ")");
    return { text: "$(…)", expands: true };
  }
  if (char === "`") {
    readBackticks(reader, parts, writes);
    return { text: "$(…)", expands: true };
  }
  reader.at++;
  if (char !== "$") return { text: char, expands: false };
  if (reader.peek() === "{") {
    const end = reader.text.indexOf("}", reader.at);
    const name = reader.text.slice(reader.at, end < 0 ? undefined : end + 1);
    if (!/^\{\w+\}$/.test(name)) reader.give("it has a parameter expansion that may run something");
    reader.at += name.length;
    return { text: `$${name}`, expands: true };
  }
  if (reader.peek() === "'") reader.give("it has an escaped string");
  if (reader.peek() === "[") reader.give("it computes with what it runs");
  return { text: "$", expands: /[\w@*#?!$-]/.test(reader.peek()) };
}

/** To bash the next backtick closes, whatever quotes stand between; only then is the text in between a script. */
function readBackticks(reader: Reader, parts: string[], writes: string[]): void {
  const end = reader.text.indexOf("`", reader.at + 1);
  const script = reader.text.slice(reader.at + 1, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.text.length : end + 1;
  if (end < 0) reader.give("it has no closing `");
  // One layer of escapes goes before the script is read, so that another backtick may hide behind one.
  if (script.includes("\\")) reader.give("it has an escape inside backticks");
  const inner = new Reader(script, reader.depth);
  readList(inner, parts, writes, null);
  if (inner.opaque !== null) reader.give(inner.opaque);
}
