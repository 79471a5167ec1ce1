/** Reads a model's stream to its end, or to its failure. */
import { isModelFailure, type FailureShape } from "../../src/models/failure.ts";
import type { Model, ModelChunk, ModelRequest, StoredMessage } from "../../src/ports.ts";

export interface Collected {
  readonly chunks: readonly ModelChunk[];
  readonly batches: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly failure: FailureShape | null;
}

export async function collect(stream: AsyncIterable<readonly ModelChunk[]>): Promise<Collected> {
  const chunks: ModelChunk[] = [];
  let batches = 0;
  let failure: FailureShape | null = null;
  try {
    for await (const batch of stream) {
      batches++;
      chunks.push(...batch);
    }
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    failure = error;
  }
  return {
    chunks,
    batches,
    text: textOf(chunks, "text"),
    reasoning: textOf(chunks, "reasoning"),
    calls: callsOf(chunks),
    failure,
  };
}

export function ask(
  model: Model,
  request: ModelRequest,
  options: Parameters<Model["stream"]>[1] = {},
): Promise<Collected> {
  return collect(model.stream(request, options));
}

/** A request with these messages and a `bash` tool. */
export function requestOf(...messages: readonly StoredMessage[]): ModelRequest {
  return {
    messages,
    tools: [{ name: "bash", description: "Runs a command.", parameters: { type: "object" } }],
    maxTokens: 0,
  };
}

function textOf(chunks: readonly ModelChunk[], type: "text" | "reasoning"): string {
  return chunks.map((chunk) => (chunk.type === type ? (chunk.text ?? "") : "")).join("");
}

function callsOf(chunks: readonly ModelChunk[]): Collected["calls"] {
  return chunks.flatMap((chunk) =>
    chunk.type === "tool_call" && chunk.toolCall !== undefined ? [chunk.toolCall] : [],
  );
}
