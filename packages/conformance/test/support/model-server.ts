/** The smallest model server that speaks chat completions, for sidecars that pass requests on to one. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelServer {
  readonly url: string;
  /** What the last user message of each request said, oldest first. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === "POST") void lastUserText(request).then((text) => asked.push(text));
    if (request.method === "GET") return void response.end(JSON.stringify({ data: [{ id: "small" }] }));
    const delta = { choices: [{ index: 0, delta: { role: "assistant", content: "There are two files." } }] };
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    response.setHeader("content-type", "text/event-stream");
    response.end([delta, end].map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") + "data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function lastUserText(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const { messages }: { messages: readonly { role: string; content: string }[] } = JSON.parse(
    Buffer.concat(pieces).toString("utf8"),
  );
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}
