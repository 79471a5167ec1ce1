/** A model server on 127.0.0.1 that speaks chat completions and the messages API as a script says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { parseJson } from "../../src/models/foreign.ts";
import { anthropicWire } from "./anthropic-wire.ts";
import { offlineReply } from "./offline-reply.ts";
import { openaiWire } from "./openai-wire.ts";
import { respond } from "./respond.ts";
import type { Reply } from "./script.ts";
import type { Wire } from "./wire.ts";

export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The port of the client's end: equal for requests over one connection. */
  readonly clientPort: string;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The bytes as they came. */
  readonly body: Buffer;
  /** Settles with how the exchange ended: answered to the end, or broken off by either side. */
  readonly ended: Promise<"answered" | "broken">;
}

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>`; a provider's base_url is this with `/v1`. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Adds replies to the script; a request that finds none left is answered in the offline model's language. */
  push(...replies: readonly Reply[]): void;
  /** Breaks off what is open and stops listening. */
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly replies?: readonly Reply[];
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly onRequest?: (request: RecordedRequest) => void;
}

export async function startScriptedServer(options: ScriptedServerOptions = {}): Promise<ScriptedServer> {
  const script: Reply[] = [...(options.replies ?? [])];
  const requests: RecordedRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    const ended = new Promise<"answered" | "broken">((resolve) => {
      response.on("close", () => {
        gone.abort();
        resolve(response.writableFinished ? "answered" : "broken");
      });
    });
    const recorded = { ...(await read(request)), ended };
    requests.push(recorded);
    options.onRequest?.(recorded);
    if (recorded.method === "GET") return json(response, 200, MODEL_LIST);
    const wire = WIRES.find((candidate) => pathOf(recorded.path).endsWith(candidate.path));
    if (wire === undefined) return json(response, 404, { error: { message: `no such path: ${recorded.path}` } });
    await perform(wire, recorded, response, script.shift() ?? { kind: "offline" }, gone.signal);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    push: (...replies) => void script.push(...replies),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

const WIRES: readonly Wire[] = [openaiWire, anthropicWire];

const MODEL_LIST = { object: "list", data: [{ id: "scripted", object: "model", created: 0, owned_by: "scripted" }] };

async function read(request: IncomingMessage): Promise<Omit<RecordedRequest, "ended">> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { method = "", url = "", socket } = request;
  return { method, path: url, clientPort: String(socket.remotePort), headers, body: Buffer.concat(parts) };
}

function pathOf(url: string): string {
  return new URL(url, "http://127.0.0.1").pathname;
}

async function perform(
  wire: Wire,
  recorded: RecordedRequest,
  response: ServerResponse,
  reply: Reply,
  gone: AbortSignal,
): Promise<void> {
  if (reply.kind === "status") {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(reply.body);
    return;
  }
  if (reply.kind === "mute") return;
  const asked = wire.read(parseJson(recorded.body.toString("utf8")));
  const scripted = reply.kind === "offline" ? offlineReply(asked) : reply;
  if (asked.stream) await respond(response, wire.stream(asked.model, scripted), scripted, gone);
  else json(response, 200, wire.whole(asked.model, scripted));
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
