/** A shell script as far as a guard must understand it: pipelines of commands, with words, redirections and nested scripts. */

export interface Word {
  /** The text after quotes are gone; variables and substitutions stand as they were written. */
  readonly text: string;
  /** Scripts inside of it: `$(…)`, backticks, `<(…)`. */
  readonly scripts: readonly string[];
}

interface Redirect {
  /** `>`, `>>`, `<`, `<<`, `<<<`, `&>` and their like. */
  readonly operator: string;
  readonly target: Word;
}

export interface Command {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Bodies of here-documents and here-strings. */
  readonly input: readonly string[];
}

/** Commands joined by `|`, in order. */
export type Pipeline = readonly Command[];

export interface Script {
  readonly pipelines: readonly Pipeline[];
  /** The source without what is quoted or commented out. */
  readonly bare: string;
}

/** Reads a script; what is broken is read as far as it goes, for a guard must judge that too. */
export function readScript(source: string): Script {
  return new ScriptReader(source).read();
}

/** Longest first, so that `<<<` is not read as `<<` and `<`. */
const REDIRECTIONS = ["<<<", "<<-", "&>>", "<<", "<>", "<&", ">>", ">|", ">&", "&>", "<", ">"] as const;
const SEPARATORS = ["&&", "||", ";;", ";", "&", "\n", "(", ")"] as const;

interface Draft {
  words: Word[];
  redirects: Redirect[];
  input: string[];
}

interface OpenDocument {
  readonly delimiter: string;
  readonly command: Draft;
}

class ScriptReader {
  readonly #source: string;
  #at = 0;
  #bare = "";
  readonly #pipelines: Pipeline[] = [];
  #pipeline: Draft[] = [];
  #command: Draft = emptyDraft();
  #text = "";
  #scripts: string[] = [];
  #inWord = false;
  #redirection: string | null = null;
  #documents: OpenDocument[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  read(): Script {
    while (this.#at < this.#source.length) this.#step();
    this.#endPipeline();
    return { pipelines: this.#pipelines, bare: this.#bare };
  }

  #step(): void {
    const char = this.#source[this.#at] ?? "";
    if (char === "\\") this.#escaped();
    else if (char === "'") this.#add(this.#until("'"));
    else if (char === '"') this.#doubleQuoted();
    else if (char === "`") this.#nested(this.#until("`"));
    else if (this.#looksAt("$(") || this.#looksAt("<(") || this.#looksAt(">(")) this.#nested(this.#parenthesised());
    else if (char === "#" && !this.#inWord) this.#skipLine();
    else if (char === " " || char === "\t" || char === "\r") this.#space();
    else if (!this.#redirects() && !this.#separates()) this.#plain(char);
  }

  #plain(char: string): void {
    this.#bare += char;
    this.#add(char);
    this.#at += 1;
  }

  #space(): void {
    this.#endWord();
    this.#bare += " ";
    this.#at += 1;
  }

  #escaped(): void {
    const next = this.#source[this.#at + 1] ?? "";
    // A backslash before a line end joins the lines.
    if (next !== "\n") this.#add(next);
    this.#at += 2;
  }

  /** Moves behind the closing mark and gives what was before it. */
  #until(mark: string): string {
    const end = this.#source.indexOf(mark, this.#at + 1);
    const stop = end === -1 ? this.#source.length : end;
    const inside = this.#source.slice(this.#at + 1, stop);
    this.#at = stop + 1;
    return inside;
  }

  #doubleQuoted(): void {
    this.#add("");
    this.#at += 1;
    while (this.#at < this.#source.length) {
      const char = this.#source[this.#at] ?? "";
      if (char === '"') break;
      if (char === "\\") this.#escaped();
      else if (char === "`") this.#nested(this.#until("`"));
      else if (this.#looksAt("$(")) this.#nested(this.#parenthesised());
      else {
        this.#add(char);
        this.#at += 1;
      }
    }
    this.#at += 1;
  }

  /** What stands in the parentheses that open after the current character, quotes respected. */
  #parenthesised(): string {
    const start = this.#at + 2;
    let depth = 1;
    let quote = "";
    let at = start;
    for (; at < this.#source.length; at++) {
      const char = this.#source[at] ?? "";
      if (char === "\\" && quote !== "'") at += 1;
      else if (quote !== "") quote = char === quote ? "" : quote;
      else if (char === "'" || char === '"') quote = char;
      else if (char === "(") depth += 1;
      else if (char === ")") depth -= 1;
      if (depth === 0) break;
    }
    this.#at = at + 1;
    return this.#source.slice(start, at);
  }

  #nested(script: string): void {
    this.#add(`$(${script})`);
    this.#scripts.push(script);
  }

  #redirects(): boolean {
    const operator = REDIRECTIONS.find((candidate) => this.#looksAt(candidate));
    if (operator === undefined) return false;
    // A number right before it is a file descriptor and no word.
    if (this.#inWord && /^\d+$/.test(this.#text)) this.#dropWord();
    this.#endWord();
    this.#redirection = operator;
    this.#bare += operator;
    this.#at += operator.length;
    return true;
  }

  #separates(): boolean {
    if (this.#looksAt("|") && !this.#looksAt("||")) {
      this.#bare += "|";
      this.#at += this.#looksAt("|&") ? 2 : 1;
      this.#endCommand();
      return true;
    }
    const separator = SEPARATORS.find((candidate) => this.#looksAt(candidate));
    if (separator === undefined) return false;
    this.#bare += separator;
    this.#at += separator.length;
    this.#endPipeline();
    if (separator === "\n") this.#readDocuments();
    return true;
  }

  #endWord(): void {
    if (!this.#inWord) return;
    const word = { text: this.#text, scripts: this.#scripts };
    const operator = this.#redirection;
    this.#dropWord();
    this.#redirection = null;
    if (operator === null) this.#command.words.push(word);
    else if (operator === "<<<") this.#command.input.push(word.text);
    else if (operator === "<<" || operator === "<<-")
      this.#documents.push({ delimiter: word.text, command: this.#command });
    else this.#command.redirects.push({ operator, target: word });
  }

  #dropWord(): void {
    this.#text = "";
    this.#scripts = [];
    this.#inWord = false;
  }

  #endCommand(): void {
    this.#endWord();
    const { words, redirects, input } = this.#command;
    const waits = this.#documents.some(({ command }) => command === this.#command);
    if (words.length > 0 || redirects.length > 0 || input.length > 0 || waits) this.#pipeline.push(this.#command);
    this.#command = emptyDraft();
  }

  #endPipeline(): void {
    this.#endCommand();
    if (this.#pipeline.length > 0) this.#pipelines.push(this.#pipeline);
    this.#pipeline = [];
  }

  /** The lines after a `<<` belong to its command, up to the delimiter alone on a line. */
  #readDocuments(): void {
    for (const { delimiter, command } of this.#documents) {
      const body: string[] = [];
      while (this.#at < this.#source.length) {
        const end = this.#source.indexOf("\n", this.#at);
        const stop = end === -1 ? this.#source.length : end;
        const line = this.#source.slice(this.#at, stop);
        this.#at = stop + 1;
        if (line.trim() === delimiter) break;
        body.push(line);
      }
      command.input.push(body.join("\n"));
    }
    this.#documents = [];
  }

  #skipLine(): void {
    const end = this.#source.indexOf("\n", this.#at);
    this.#at = end === -1 ? this.#source.length : end;
  }

  #add(text: string): void {
    this.#text += text;
    this.#inWord = true;
  }

  #looksAt(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }
}

function emptyDraft(): Draft {
  return { words: [], redirects: [], input: [] };
}
