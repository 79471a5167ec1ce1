/** Collects the chunks of one answer. */
import type { ToolCall, Usage } from "@reasonix-ts/protocol";
import type { ModelChunk, NativeBlocks } from "./ports.ts";

export interface Answer {
  readonly text: string;
  readonly reasoning: string;
  readonly signature: string | null;
  /** Whole tool calls only: a half-received one is no call. */
  readonly calls: readonly ToolCall[];
  /** The last one that came; null when the model told none, which means unknown and not 0. */
  readonly usage: Usage | null;
  readonly native: NativeBlocks | null;
}

export const EMPTY_ANSWER: Answer = {
  text: "",
  reasoning: "",
  signature: null,
  calls: [],
  usage: null,
  native: null,
};

/** What a batch of chunks adds, joined so that frontends get one event for each run of text or reasoning. */
export type Delta = { readonly kind: "text" | "reasoning"; readonly text: string };

export class AnswerCollector {
  readonly #calls: ToolCall[] = [];
  #text = "";
  #reasoning = "";
  #signature: string | null = null;
  #usage: Usage | null = null;
  #native: NativeBlocks | null = null;

  /** Throws what an `error` chunk says, as a failure of its code. */
  add(chunks: readonly ModelChunk[], fail: (code: string, message: string) => Error): readonly Delta[] {
    const deltas: { kind: Delta["kind"]; text: string }[] = [];
    const grow = (kind: Delta["kind"], text: string): void => {
      const last = deltas.at(-1);
      if (last?.kind === kind) last.text += text;
      else deltas.push({ kind, text });
    };
    for (const chunk of chunks) {
      switch (chunk.type) {
        case "text":
          if (chunk.text === undefined || chunk.text === "") break;
          this.#text += chunk.text;
          grow("text", chunk.text);
          break;
        case "reasoning":
          if (chunk.signature !== undefined && chunk.signature !== "") this.#signature = chunk.signature;
          if (chunk.text === undefined || chunk.text === "") break;
          this.#reasoning += chunk.text;
          grow("reasoning", chunk.text);
          break;
        case "tool_call":
          if (chunk.toolCall !== undefined) this.#calls.push(chunk.toolCall);
          break;
        case "usage":
        case "done":
          if (chunk.usage !== undefined) this.#usage = chunk.usage;
          break;
        case "native":
          this.#native = chunk.native;
          break;
        case "error":
          throw fail(chunk.error?.code ?? "provider_failed", chunk.error?.message ?? "The model reported an error.");
        case "tool_call_start":
        case "tool_call_args_delta":
          break;
      }
    }
    return deltas;
  }

  read(): Answer {
    return {
      text: this.#text,
      reasoning: this.#reasoning,
      signature: this.#signature,
      calls: this.#calls,
      usage: this.#usage,
      native: this.#native,
    };
  }
}
