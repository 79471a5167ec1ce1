/** The smallest model server that speaks chat completions, for sidecars that pass requests on to one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const server = createServer((request, response) => {
    request.resume();
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
