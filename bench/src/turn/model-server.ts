/** A chat-completions server on 127.0.0.1: the same tool calls to every turn's first request, then one word. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface ToolCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export interface ModelServer {
  readonly url: string;
  /** What the next turns call. */
  script(calls: readonly ToolCall[]): void;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  let calls: readonly ToolCall[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { messages }: { messages: readonly { role: string }[] } = JSON.parse(Buffer.concat(parts).toString("utf8"));
    const isFirst = messages.at(-1)?.role === "user";
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(isFirst ? answer(callDeltas(calls), "tool_calls") : answer([{ content: "done" }], "stop"));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the model server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    script: (next) => {
      calls = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function callDeltas(calls: readonly ToolCall[]): readonly object[] {
  return calls.map((call, index) => ({
    tool_calls: [{ index, id: `call_${index}`, type: "function", function: call }],
  }));
}

function answer(deltas: readonly object[], finish: string): string {
  const event = (choices: readonly object[], usage: object | null): string =>
    `data: ${JSON.stringify({ id: "bench", object: "chat.completion.chunk", created: 0, model: "bench", choices, usage })}\n\n`;
  const pieces = deltas.map((delta) => event([{ index: 0, delta, finish_reason: null }], null));
  const end = event([{ index: 0, delta: {}, finish_reason: finish }], null);
  const usage = event([], { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 });
  return `${pieces.join("")}${end}${usage}data: [DONE]\n\n`;
}
