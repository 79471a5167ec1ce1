/** Cuts a sidecar's stdout into lines, by bytes and in linear time; it shares no code with the framer that it judges. */

export type Line =
  | { readonly kind: "whole"; readonly bytes: Buffer; readonly ending: "lf" | "crlf" }
  /** Longer than the limit: told as soon as that is seen, when `size` bytes had come; the rest of the line is dropped. */
  | { readonly kind: "oversize"; readonly size: number; readonly head: Buffer };

const LF = 10;
const CR = 13;
const HEAD_BYTES = 80;

export class LineCutter {
  readonly #limit: number;
  readonly #deliver: (line: Line) => void;
  #pieces: Buffer[] = [];
  #size = 0;
  #head: Buffer = Buffer.alloc(0);
  #dropping = false;

  constructor(limit: number, deliver: (line: Line) => void) {
    this.#limit = limit;
    this.#deliver = deliver;
  }

  push(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      this.#take(bytes.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#take(bytes.subarray(start));
  }

  /** The beginning of a line whose end has not come. */
  rest(): string {
    return this.#size === 0 ? "" : this.#head.toString("utf8");
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0 || this.#dropping) return;
    if (this.#size === 0) this.#head = Buffer.from(bytes.subarray(0, HEAD_BYTES));
    this.#size += bytes.length;
    this.#pieces.push(bytes);
    // One byte more may be the CR of a CRLF.
    if (this.#size > this.#limit + 1) this.#drop(this.#size);
  }

  #finish(): void {
    if (!this.#dropping) {
      const whole = Buffer.concat(this.#pieces);
      const ending = whole.at(-1) === CR ? "crlf" : "lf";
      const bytes = ending === "crlf" ? whole.subarray(0, -1) : whole;
      if (bytes.length > this.#limit) this.#drop(bytes.length);
      else this.#deliver({ kind: "whole", bytes, ending });
    }
    this.#pieces = [];
    this.#size = 0;
    this.#dropping = false;
  }

  #drop(size: number): void {
    this.#dropping = true;
    this.#pieces = [];
    this.#deliver({ kind: "oversize", size, head: this.#head });
  }
}
