/** The referee's own requests and what was answered to each. */
import type { Frame, JsonObject } from "../wire/frame.ts";
import type { Fault } from "./inbound.ts";

export type Answer =
  | { readonly kind: "result"; readonly result: unknown; readonly sent: string }
  | { readonly kind: "error"; readonly code: number; readonly message: string; readonly sent: string };

interface Asked {
  readonly sent: string;
  readonly answer: Answer | null;
}

export class Answers {
  readonly #asked = new Map<number, Asked>();
  #nextId = 1;

  /** Makes the text of a request, without a line end. */
  prepare(method: string, params: JsonObject, extra: JsonObject, id?: number): { id: number; text: string } {
    const own = id ?? this.#nextId++;
    const text = JSON.stringify({ jsonrpc: "2.0", id: own, method, params, ...extra });
    this.#asked.set(own, { sent: text, answer: null });
    return { id: own, text };
  }

  /** The request as it was sent. */
  sent(id: number): string {
    return this.#asked.get(id)?.sent ?? "";
  }

  answer(id: number): Answer | null {
    return this.#asked.get(id)?.answer ?? null;
  }

  /** Takes a reply; gives what is wrong with it. */
  settle(frame: Extract<Frame, { readonly kind: "result" | "error" }>): Fault | null {
    const { id } = frame;
    const asked = this.#asked.get(id);
    if (asked === undefined)
      return { what: `an answer came to id ${id}, which was never used`, wanted: "the id of the request" };
    if (asked.answer !== null) return { what: `a second answer came to id ${id}`, wanted: "one answer a request" };
    const { sent } = asked;
    const answer: Answer =
      frame.kind === "result"
        ? { kind: "result", result: frame.result, sent }
        : { kind: "error", code: frame.error.code, message: frame.error.message, sent };
    this.#asked.set(id, { sent, answer });
    return null;
  }
}
