/** Serves `extension/tool/call`. */
import { ToolCallParams, type ToolCallResult } from "@reasonix-ts/protocol";
import { ToolRun } from "./budgeted-call.ts";
import { failure } from "./failure.ts";
import type { ToolAnswer } from "./handlers.ts";
import type { Link } from "./link.ts";
import { messageOf } from "./log.ts";
import { readParams } from "./wire.ts";

const METHOD = "extension/tool/call";

export function serveTools(link: Link): void {
  const tools = new Map(Object.entries(link.extension.tools ?? {}));
  if (tools.size === 0) return;
  link.peer.onRequest(METHOD, (raw, inbound) => {
    const { name, arguments: args, timeoutMillis } = readParams(METHOD, ToolCallParams, raw);
    const tool = tools.get(name);
    if (tool === undefined)
      throw failure("invalid_params", `no tool "${name}" here; this extension serves ${[...tools.keys()].join(", ")}`);
    const call = new ToolRun(link, inbound, timeoutMillis, name);
    return call.run(async () => {
      await link.starting;
      try {
        return toResult(await tool(args, call), name);
      } catch (error) {
        // The model is told what failed and may try something else.
        return { content: link.redact(messageOf(error)), isError: true };
      }
    });
  });
}

function toResult(answer: ToolAnswer, name: string): ToolCallResult {
  const { content, isError = false } = typeof answer === "string" ? { content: answer } : answer;
  if (typeof content !== "string") throw new TypeError(`the tool "${name}" answered no text`);
  return { content, isError };
}
