/** Answers a request in the offline model's language. */
import { nextStep } from "../../src/models/offline-script.ts";
import type { Step, StreamReply } from "./script.ts";
import type { ReadRequest } from "./wire.ts";

export function offlineReply(request: ReadRequest): StreamReply {
  const next = nextStep(request.messages, request.toolsOffered);
  const reasoning: readonly Step[] = next.reasoning === "" ? [] : [{ kind: "reasoning", text: next.reasoning }];
  const last: Step =
    next.kind === "call" ? { kind: "call", ...next.call } : { kind: "text", text: [...next.pieces].join("") };
  const prompt = request.messages.reduce((sum, message) => sum + (message.content?.length ?? 0), 0);
  return { kind: "stream", steps: [...reasoning, last], usage: { prompt, completion: 5 } };
}
