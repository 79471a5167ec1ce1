/** Serves one long answer in either wire format from a thread of its own; its bytes are made once. */
import { createServer } from "node:http";
import { parentPort } from "node:worker_threads";

export const CHUNKS = 20_000;

/** Providers write an event or a few at a time; the network joins them to reads of about this size. */
const WRITE_BYTES = 16 * 1024;

/** Tells the parent thread its port, and serves until the thread is ended. */
export function serveAnswer(): Promise<void> {
  const answers: { readonly [path: string]: Buffer } = {
    "/v1/chat/completions": Buffer.from(chatCompletion()),
    "/v1/messages": Buffer.from(messageStream()),
  };
  const server = createServer((request, response) => {
    request.resume();
    const answer = answers[request.url ?? ""];
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (let at = 0; at < answer.length; at += WRITE_BYTES) response.write(answer.subarray(at, at + WRITE_BYTES));
    response.end();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      parentPort?.postMessage(address !== null && typeof address === "object" ? address.port : 0);
      resolve();
    });
  });
}

function chatCompletion(): string {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "m" };
  const event = (choices: object[], usage: object | null): string =>
    `data: ${JSON.stringify({ ...head, system_fingerprint: "fp_1", choices, usage })}\n\n`;
  const text = Array.from({ length: CHUNKS }, (_, n) =>
    event([{ index: 0, delta: { content: ` word${n % 100}` }, logprobs: null, finish_reason: null }], null),
  );
  const end = event([{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }], null);
  const usage = event([], { prompt_tokens: 10, completion_tokens: CHUNKS, total_tokens: CHUNKS + 10 });
  return `${text.join("")}${end}${usage}data: [DONE]\n\n`;
}

function messageStream(): string {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const text = Array.from({ length: CHUNKS }, (_, n) =>
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text: ` word${n % 100}` } }),
  );
  return [
    event("message_start", { message: { id: "msg_1", role: "assistant", usage: { input_tokens: 10 } } }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...text,
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: CHUNKS } }),
    event("message_stop", {}),
  ].join("");
}
