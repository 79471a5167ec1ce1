/** A built-in model that answers by a script and keeps what it was sent. */
import type { Model, ModelChunk, ModelRequest, Models } from "@reasonix-ts/agent";

export const SCRIPTED = "test/scripted";

type Answer = readonly ModelChunk[] | ((request: ModelRequest) => readonly ModelChunk[]);

export interface ScriptedModels extends Models {
  readonly requests: ModelRequest[];
}

/** The last answer is given again and again. */
export function scripted(answers: readonly Answer[], descriptor: Partial<Model["descriptor"]> = {}): ScriptedModels {
  const requests: ModelRequest[] = [];
  const model: Model = {
    ref: SCRIPTED,
    descriptor: { ref: SCRIPTED, ...descriptor },
    async *stream(request) {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? [];
      yield typeof answer === "function" ? answer(request) : answer;
    },
  };
  return { requests, resolve: () => model, list: () => [model.descriptor] };
}

export function says(...pieces: readonly string[]): readonly ModelChunk[] {
  return [...pieces.map((text): ModelChunk => ({ type: "text", text })), { type: "done" }];
}

export function calls(name: string, args: object, id = "call_1"): readonly ModelChunk[] {
  return [{ type: "tool_call", toolCall: { id, name, arguments: JSON.stringify(args) } }, { type: "done" }];
}

/** What a request holds of one role, in order. */
export function contents(request: ModelRequest | undefined, role: string): readonly string[] {
  return (request?.messages ?? []).flatMap((message) => (message.role === role ? [message.content ?? ""] : []));
}
