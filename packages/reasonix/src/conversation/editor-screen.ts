/** What the line editor writes to: the terminal while the prompt stands there, nothing while it does not. */
import { Writable } from "node:stream";
import type { Output } from "../world.ts";

export class EditorScreen extends Writable {
  /** Whether the prompt is on the screen. */
  shown = false;
  readonly isTTY = true;
  readonly #output: Output;

  constructor(output: Output) {
    super({ decodeStrings: false });
    this.#output = output;
    output.on("resize", this.#onResize);
  }

  get columns(): number {
    return this.#output.columns ?? 80;
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    if (this.shown) this.#output.write(chunk);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#output.off("resize", this.#onResize);
    done(error);
  }

  readonly #onResize = (): void => {
    if (this.shown) this.emit("resize");
  };
}
