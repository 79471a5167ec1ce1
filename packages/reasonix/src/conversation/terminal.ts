/** The place where a person types and reads, as the conversation sees it. */
import type { Output } from "../world.ts";

export interface Terminal {
  /** Whether lines can be typed while a turn runs; where not, each line waits for the end of the one before. */
  readonly live: boolean;
  /** Whole lines. What comes while a line is being typed is shown when that line is sent. */
  say(lines: readonly string[]): void;
  /** A piece of an answer, as it comes. */
  stream(text: string): void;
  /** The next line, or null when there will be none. A pasted message is one line with line ends in it. */
  next(): Promise<string | null>;
  /** One line in answer to a question; null when it was given up, or `signal` fired. One question at a time. */
  ask(prompt: string, options: { readonly signal?: AbortSignal }): Promise<string | null>;
  /** Whether the prompt stands there though nothing is typed: between turns. */
  idle(isIdle: boolean): void;
  /** After Ctrl-C between turns: shows what waits for a line, since the system has thrown that line away. */
  breakLine(): void;
  /** Gives the terminal back as it was. `next` then answers null. A second call does nothing. */
  close(): void;
}

/** What a terminal tells beside lines. */
export interface TerminalEvents {
  /** Ctrl-C, where the terminal takes the key itself. */
  readonly onInterrupt: () => void;
}

export const PROMPT = "> ";

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "lines"; readonly lines: readonly string[] };

/** Writes pieces one after another and knows whether the last line is still open. */
export class Paper {
  readonly #out: Output;
  #open = false;

  constructor(out: Output) {
    this.#out = out;
  }

  write(piece: Piece): void {
    if (piece.kind === "text") {
      if (piece.text === "") return;
      this.#out.write(piece.text);
      this.#open = !piece.text.endsWith("\n");
      return;
    }
    if (piece.lines.length === 0) return;
    this.endLine();
    this.#out.write(`${piece.lines.join("\n")}\n`);
  }

  endLine(): void {
    if (this.#open) this.#out.write("\n");
    this.#open = false;
  }

  /** A prompt, whose line somebody else ends. */
  prompt(text: string): void {
    this.endLine();
    this.#out.write(text);
  }
}
