/** Splits what a terminal sends into keys and pastes; pure but for what it keeps between two chunks. */

export type Typed =
  | { readonly kind: "keys"; readonly text: string }
  /** The text of one bracketed paste, with `\n` line ends. */
  | { readonly kind: "paste"; readonly text: string };

/** Terminals mark a paste with these once asked to by `PASTE_MODE.on`. */
const BEGIN = "\u001b[200~";
const END = "\u001b[201~";
export const PASTE_MODE = { on: "\u001b[?2004h", off: "\u001b[?2004l" } as const;

/** A paste that grows beyond this without its end mark is taken as it is. Characters. */
const LONGEST_PASTE = 8 * 1024 * 1024;

export class TypedKeys {
  #rest = "";
  #pasting = false;

  push(chunk: string): readonly Typed[] {
    const found: Typed[] = [];
    let text = this.#rest + chunk;
    this.#rest = "";
    for (;;) {
      const mark = this.#pasting ? END : BEGIN;
      const at = text.indexOf(mark);
      if (at === -1) break;
      this.#add(found, text.slice(0, at));
      text = text.slice(at + mark.length);
      this.#pasting = !this.#pasting;
    }
    if (this.#pasting) {
      if (text.length <= LONGEST_PASTE) {
        this.#rest = text;
        return found;
      }
      this.#add(found, text);
      this.#pasting = false;
      return found;
    }
    const kept = beginningOf(BEGIN, text);
    this.#rest = text.slice(text.length - kept);
    this.#add(found, text.slice(0, text.length - kept));
    return found;
  }

  #add(found: Typed[], text: string): void {
    if (text === "") return;
    found.push(
      this.#pasting ? { kind: "paste", text: text.replace(/\r\n?/g, "\n").replace(/\n$/, "") } : { kind: "keys", text },
    );
  }
}

/** How many characters at the end of `text` may be the beginning of `mark`. */
function beginningOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}

/** Stands for a line end within the one line that is edited. */
const LINE_END_MARK = "\u2424";

/** A message as the line editor and the history file hold it. */
export function toEditorLine(message: string): string {
  return message.replaceAll("\n", LINE_END_MARK);
}

export function fromEditorLine(line: string): string {
  return line.replaceAll(LINE_END_MARK, "\n");
}
