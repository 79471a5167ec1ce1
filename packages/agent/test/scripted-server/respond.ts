/** Performs a streamed answer on a response, in writes that a network could have made. */
import type { ServerResponse } from "node:http";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import type { StreamReply } from "./script.ts";
import type { Act } from "./wire.ts";

/** Ends with the answer, or with the client; never rejects for a client that went. */
export async function respond(
  response: ServerResponse,
  acts: Iterable<Act>,
  reply: StreamReply,
  gone: AbortSignal,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  for (const act of acts) {
    if (gone.aborted) return;
    switch (act.kind) {
      case "write":
        await write(response, Buffer.from(act.text), reply.splitBytes, gone);
        break;
      case "pause":
        await wait(act.millis, undefined, { signal: gone }).catch(ignoreAbort);
        break;
      case "cut":
        // What was written first goes out first.
        await turn();
        response.socket?.destroy();
        return;
      case "end":
        response.end();
        return;
      case "stall":
        await new Promise<void>((resolve) => {
          if (gone.aborted) resolve();
          gone.addEventListener("abort", () => resolve(), { once: true });
        });
        return;
    }
  }
  response.end();
}

async function write(
  response: ServerResponse,
  bytes: Buffer,
  size: number | undefined,
  gone: AbortSignal,
): Promise<void> {
  if (size === undefined) return put(response, bytes, gone);
  for (let at = 0; at < bytes.length && !gone.aborted; at += size) {
    await put(response, bytes.subarray(at, at + size), gone);
    // Lets the write leave by itself.
    await turn();
  }
}

async function put(response: ServerResponse, bytes: Buffer, gone: AbortSignal): Promise<void> {
  if (response.write(bytes) || gone.aborted) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      response.off("drain", go);
      gone.removeEventListener("abort", go);
      resolve();
    };
    response.on("drain", go);
    gone.addEventListener("abort", go);
  });
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}
