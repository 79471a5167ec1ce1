/** A terminal with a line editor: arrows, history, paste, and lines typed while a turn runs. */
import { clearScreenDown, createInterface, cursorTo, moveCursor, type Interface } from "node:readline";
import { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { stripControls } from "@reasonix-ts/text";
import type { Input, Output } from "../world.ts";
import { EditorScreen } from "./editor-screen.ts";
import { LineQueue } from "./line-queue.ts";
import { Paper, PROMPT, type Piece, type Terminal, type TerminalEvents } from "./terminal.ts";
import { fromEditorLine, PASTE_MODE, toEditorLine, TypedKeys, type Typed } from "./typed-keys.ts";

export interface EditedTerminalOptions extends TerminalEvents {
  readonly input: Input & { setRawMode?(mode: boolean): unknown };
  readonly output: Output;
  /** Newest first. */
  readonly history: readonly string[];
  /** What the tab key offers for the beginning of a line. */
  readonly complete: (line: string) => readonly string[];
}

interface OpenQuestion {
  readonly prompt: string;
  settle(line: string | null): void;
}

/**
 * Nothing is ever written into a line that has something in it: while one is being typed, whatever comes waits until it
 * is sent or emptied. During a turn the prompt stands only while something is typed.
 */
export class EditedTerminal implements Terminal {
  readonly live = true;
  readonly #input: EditedTerminalOptions["input"];
  readonly #output: Output;
  readonly #onInterrupt: () => void;
  readonly #paper: Paper;
  readonly #screen: EditorScreen;
  readonly #keyboard: Readable;
  readonly #editor: Interface;
  readonly #typed = new TypedKeys();
  readonly #decoder = new StringDecoder("utf8");
  readonly #lines = new LineQueue();
  readonly #held: Piece[] = [];
  #question: OpenQuestion | null = null;
  #idle = false;
  #closed = false;

  constructor({ input, output, history, complete, onInterrupt }: EditedTerminalOptions) {
    this.#input = input;
    this.#output = output;
    this.#onInterrupt = onInterrupt;
    this.#paper = new Paper(output);
    this.#screen = new EditorScreen(output);
    this.#keyboard = new Readable({ read: () => {} });
    this.#editor = createInterface({
      input: this.#keyboard,
      output: this.#screen,
      terminal: true,
      prompt: PROMPT,
      history: history.map(toEditorLine),
      historySize: 500,
      removeHistoryDuplicates: true,
      completer: (line: string) => [[...complete(line)], line],
    });
    this.#editor.on("line", (line) => this.#sent(line));
    // Answers to questions are no messages to come back to.
    this.#editor.on("history", (lines) => {
      if (this.#question !== null) lines.shift();
    });
    this.#input.setRawMode?.(true);
    this.#output.write(PASTE_MODE.on);
    this.#input.on("data", this.#onData);
    this.#input.on("end", this.#onEnd);
    this.#input.resume();
  }

  say(lines: readonly string[]): void {
    this.#show({ kind: "lines", lines });
  }

  stream(text: string): void {
    this.#show({ kind: "text", text });
  }

  next(): Promise<string | null> {
    return this.#lines.next();
  }

  ask(prompt: string, { signal }: { readonly signal?: AbortSignal }): Promise<string | null> {
    if (this.#closed || this.#lines.ended || signal?.aborted === true) return Promise.resolve(null);
    const begun = this.#takeLine();
    return new Promise((resolve) => {
      const cancel = (): void => question.settle(null);
      const question: OpenQuestion = {
        prompt,
        settle: (line) => {
          signal?.removeEventListener("abort", cancel);
          if (line === null) this.#takeLine();
          this.#question = null;
          // What was begun before the question is there again.
          if (begun !== "") this.#insert(begun);
          else this.#settleScreen();
          resolve(line);
        },
      };
      signal?.addEventListener("abort", cancel, { once: true });
      this.#question = question;
      this.#settleScreen();
    });
  }

  idle(isIdle: boolean): void {
    this.#idle = isIdle;
    this.#settleScreen();
  }

  /** The key itself has emptied the line. */
  breakLine(): void {}

  close(): void {
    if (this.#closed) return;
    this.#question?.settle(null);
    this.#flush();
    this.#closed = true;
    this.#hide();
    this.#lines.end();
    this.#editor.close();
    this.#input.off("data", this.#onData);
    this.#input.off("end", this.#onEnd);
    this.#input.setRawMode?.(false);
    this.#input.pause();
    this.#paper.endLine();
    this.#output.write(PASTE_MODE.off);
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const typed of this.#typed.push(this.#decoder.write(chunk))) this.#take(typed);
  };

  readonly #onEnd = (): void => this.#end();

  #take(typed: Typed): void {
    if (typed.kind === "paste") {
      this.#insert(toEditorLine(stripControls(typed.text)));
      return;
    }
    // Line ends and the keys that this class answers itself come one by one: a line may be sent in mid-chunk.
    // oxlint-disable-next-line no-control-regex -- keys are control characters
    for (const [keys] of typed.text.matchAll(/[^\r\n\u0003\u0004]+|[\r\n\u0003\u0004]/g)) {
      if (this.#closed) return;
      if (keys === "\u0003") this.#interrupted();
      else if (keys === "\u0004" && this.#editor.line === "") this.#end();
      else this.#edit(keys);
    }
  }

  #edit(keys: string): void {
    // Enter on nothing, while no prompt stands, means nothing.
    if (!this.#screen.shown && (keys === "\r" || keys === "\n")) return;
    this.#reveal();
    this.#keyboard.emit("data", keys);
    this.#settleScreen();
  }

  #insert(text: string): void {
    this.#reveal();
    this.#editor.write(text);
  }

  #sent(line: string): void {
    this.#screen.shown = false;
    const question = this.#question;
    if (question !== null) question.settle(line);
    else this.#lines.push(fromEditorLine(line));
  }

  #interrupted(): void {
    if (this.#idle && this.#question === null && this.#editor.line !== "") {
      this.#takeLine();
      this.#settleScreen();
      return;
    }
    const asked = this.#question;
    asked?.settle(null);
    // A question between turns is all that there is to give up.
    if (asked === null || !this.#idle) this.#onInterrupt();
  }

  /** Ctrl-D on an empty line: gives a question up, else there are no more lines. */
  #end(): void {
    if (this.#question !== null) this.#question.settle(null);
    else this.#lines.end();
  }

  /** Empties the line that is being typed, and gives what was in it. */
  #takeLine(): string {
    const { line } = this.#editor;
    if (line === "") return "";
    this.#editor.write(null, { ctrl: true, name: "e" });
    this.#editor.write(null, { ctrl: true, name: "u" });
    return line;
  }

  #show(piece: Piece): void {
    if (this.#closed) return;
    if (this.#screen.shown && this.#editor.line !== "") {
      this.#held.push(piece);
      return;
    }
    this.#hide();
    this.#paper.write(piece);
    this.#settleScreen();
  }

  /** Shows what waited and puts the prompt there or takes it away, unless a line is being typed. */
  #settleScreen(): void {
    if (this.#closed || (this.#screen.shown && this.#editor.line !== "")) return;
    if (this.#held.length > 0) this.#flush();
    if (this.#idle || this.#question !== null) this.#reveal();
    else this.#hide();
  }

  #flush(): void {
    if (this.#held.length === 0) return;
    this.#hide();
    for (const piece of this.#held.splice(0)) this.#paper.write(piece);
  }

  #reveal(): void {
    const prompt = this.#question?.prompt ?? PROMPT;
    if (this.#screen.shown && this.#editor.getPrompt() === prompt) return;
    this.#hide();
    this.#paper.endLine();
    this.#screen.shown = true;
    this.#editor.setPrompt(prompt);
    this.#editor.prompt(true);
  }

  #hide(): void {
    if (!this.#screen.shown) return;
    const { rows } = this.#editor.getCursorPos();
    moveCursor(this.#output, 0, -rows);
    cursorTo(this.#output, 0);
    clearScreenDown(this.#output);
    this.#screen.shown = false;
  }
}
