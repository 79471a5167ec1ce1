/** Cuts a sidecar's stdout into lines, by bytes and in linear time; it shares no code with the framer that it judges. */

export type Line =
  | { readonly kind: "whole"; readonly bytes: Buffer; readonly ending: "lf" | "crlf" }
  /** Longer than `limit`; its bytes were counted and dropped. */
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

  /** What has come since the last line end. */
  rest(): Buffer {
    return this.#pieces.length > 0 ? Buffer.concat(this.#pieces) : this.#head;
  }

  #take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#size === 0) this.#head = Buffer.from(bytes.subarray(0, HEAD_BYTES));
    this.#size += bytes.length;
    // One byte more may be the CR of a CRLF.
    if (this.#size <= this.#limit + 1) this.#pieces.push(bytes);
    else this.#pieces = [];
  }

  #finish(): void {
    const line = this.#line();
    this.#pieces = [];
    this.#size = 0;
    this.#head = Buffer.alloc(0);
    this.#deliver(line);
  }

  #line(): Line {
    const whole = Buffer.concat(this.#pieces);
    const ending = whole.at(-1) === CR ? "crlf" : "lf";
    const size = ending === "crlf" ? this.#size - 1 : this.#size;
    if (size > this.#limit) return { kind: "oversize", size, head: this.#head };
    return { kind: "whole", bytes: ending === "crlf" ? whole.subarray(0, -1) : whole, ending };
  }
}
