/** Lines as they come: piped in, or typed at a terminal that cannot move its cursor. No escape sequence is written. */
import { createInterface, type Interface } from "node:readline";
import type { Input, Output } from "../world.ts";
import { LineQueue } from "./line-queue.ts";
import { Paper, PROMPT, type Piece, type Terminal } from "./terminal.ts";

/**
 * The system edits the line, so that nothing here knows whether one is begun: while a prompt stands, whatever comes
 * waits until a line is sent. Piped lines have no prompt, and nothing waits.
 */
export class LineTerminal implements Terminal {
  readonly live = false;
  readonly #paper: Paper;
  readonly #prompts: boolean;
  readonly #lines = new LineQueue();
  readonly #reader: Interface;
  readonly #held: Piece[] = [];
  /** The prompt that stands there, or null. */
  #prompt: string | null = null;

  constructor(input: Input, output: Output) {
    this.#paper = new Paper(output);
    this.#prompts = input.isTTY === true;
    this.#reader = createInterface({ input, terminal: false, crlfDelay: Infinity });
    this.#reader.on("line", (line) => this.#lines.push(line));
    this.#reader.on("close", () => this.#lines.end());
  }

  say(lines: readonly string[]): void {
    this.#show({ kind: "lines", lines });
  }

  stream(text: string): void {
    this.#show({ kind: "text", text });
  }

  next(): Promise<string | null> {
    return this.#read(PROMPT);
  }

  ask(prompt: string, { signal }: { readonly signal?: AbortSignal }): Promise<string | null> {
    return this.#read(prompt, signal);
  }

  idle(): void {}

  breakLine(): void {
    const prompt = this.#prompt;
    if (prompt === null) return;
    this.#endPrompt("\n");
    this.#startPrompt(prompt);
  }

  close(): void {
    this.#reader.close();
    this.#paper.endLine();
  }

  async #read(prompt: string, signal?: AbortSignal): Promise<string | null> {
    if (this.#prompts) this.#startPrompt(prompt);
    const line = await this.#lines.next(signal);
    // Without a sent line the cursor still stands behind the prompt.
    if (this.#prompt !== null) this.#endPrompt(line === null ? "\n" : "");
    return line;
  }

  #startPrompt(prompt: string): void {
    this.#paper.prompt(prompt);
    this.#prompt = prompt;
  }

  #endPrompt(lineEnd: string): void {
    this.#prompt = null;
    this.#paper.write({ kind: "text", text: lineEnd });
    for (const piece of this.#held.splice(0)) this.#paper.write(piece);
  }

  #show(piece: Piece): void {
    if (this.#prompt !== null) this.#held.push(piece);
    else this.#paper.write(piece);
  }
}
