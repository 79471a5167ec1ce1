/** Puts tool calls together that arrive in pieces. */
import type { ToolCall } from "@reasonix-ts/protocol";
import type { ModelChunk } from "../ports.ts";
import { objectIn, parseJson } from "./foreign.ts";

interface Piece {
  readonly id: string;
  readonly name: string;
  readonly signature: string;
  /** The start as frontends see it, made once. */
  readonly started: ToolCall;
  args: string;
}

export interface CallPieces {
  has(index: number): boolean;
  /** For a piece without an index: that of the call with this id, else a new one for a name, else the last one. */
  indexFor(id: string, name: string): number;
  /** `signature` is a provider's seal on the call, or empty. */
  start(index: number, call: { readonly id: string; readonly name: string; readonly signature: string }): ModelChunk;
  /** Null when nothing was started at that index. */
  append(index: number, args: string): ModelChunk | null;
  /**
   * The whole calls, in the order of their starts. Of an answer that was cut at its bound (`length`), a call whose
   * arguments are no JSON object is left out: it is half a call, and half a call never runs.
   */
  whole(finishReason: string): readonly ToolCall[];
}

export function callPieces(): CallPieces {
  const pieces = new Map<number, Piece>();
  return {
    has: (index) => pieces.has(index),
    indexFor(id, name) {
      const known = id === "" ? undefined : [...pieces].find(([, piece]) => piece.id === id);
      if (known !== undefined) return known[0];
      const next = Math.max(-1, ...pieces.keys()) + 1;
      return name === "" ? Math.max(0, next - 1) : next;
    },
    start(index, { id, name, signature }) {
      const started = { id, name, arguments: "" };
      pieces.set(index, { id, name, signature, started, args: "" });
      return { type: "tool_call_start", toolCall: started };
    },
    append(index, args) {
      const piece = pieces.get(index);
      if (piece === undefined) return null;
      piece.args += args;
      return { type: "tool_call_args_delta", toolCall: piece.started, argChars: piece.args.length };
    },
    whole: (finishReason) =>
      [...pieces.values()].flatMap((piece) => {
        const args = piece.args.trim() === "" ? "{}" : piece.args;
        if (finishReason === "length" && objectIn(parseJson(args)) === null) return [];
        const { id, name, signature } = piece;
        return [{ id, name, arguments: args, ...(signature === "" ? {} : { thought_signature: signature }) }];
      }),
  };
}
