/** What the scripted server is told to answer. */

/** One thing that happens in a streamed answer, in either wire format. */
export type Step =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reasoning"; readonly text: string; readonly signature?: string }
  /** Thinking that the provider hid; chat completions have no such thing and leave it out. */
  | { readonly kind: "redacted"; readonly data: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly arguments: string }
  /** A keep-alive comment. */
  | { readonly kind: "comment"; readonly text: string }
  /** Bytes of the stream as they are. */
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "pause"; readonly millis: number }
  /** An error event in mid-stream; nothing follows. */
  | { readonly kind: "error"; readonly type: string; readonly message: string }
  /** The socket is destroyed. */
  | { readonly kind: "cut" }
  /** The response ends in good order, without the end of the answer. */
  | { readonly kind: "end" }
  /** Nothing more is sent until the client goes. */
  | { readonly kind: "stall" };

/** Counts as a provider tells them; `cacheWrite` exists in the messages API only. */
export interface ScriptedUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheHit?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

export type Reply =
  | {
      readonly kind: "stream";
      readonly steps: readonly Step[];
      /** In the words of chat completions; by default `tool_calls` when a call is among the steps, else `stop`. */
      readonly finish?: string;
      /** `null` tells none; by default a small fixed one. */
      readonly usage?: ScriptedUsage | null;
      /** Writes so many bytes at a time, through characters and JSON alike; an event at a time when absent. */
      readonly splitBytes?: number;
    }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: { readonly [name: string]: string };
      readonly body: string;
    }
  /** The request is read and never answered. */
  | { readonly kind: "mute" }
  /** The offline model's language: TOOL, THINK and REPEAT lines of the last user message. */
  | { readonly kind: "offline" };

export type StreamReply = Extract<Reply, { readonly kind: "stream" }>;

export const DEFAULT_USAGE: ScriptedUsage = { prompt: 10, completion: 5 };

export function finishOf(reply: StreamReply): string {
  return reply.finish ?? (reply.steps.some((step) => step.kind === "call") ? "tool_calls" : "stop");
}

/** Shorthands for scripts. */
export function streamOf(...steps: readonly Step[]): StreamReply {
  return { kind: "stream", steps };
}

export function textStep(text: string): Step {
  return { kind: "text", text };
}

/** Cuts text into pieces of `size` UTF-16 units, whole characters each. */
export function* cutText(text: string, size: number): Generator<string> {
  let piece = "";
  for (const character of text) {
    piece += character;
    if (piece.length < size) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}
