/** The other end of every comparison: a bare program that speaks raw lines, as a sidecar and as the floor's child. */
import { createHash } from "node:crypto";

/** What it is told in `BENCH_CHILD`, as JSON. */
export interface ChildOptions {
  /** Models that it names at the handshake. */
  readonly providers?: readonly string[];
  /** Milliseconds of work for each event that it reads. */
  readonly eventMillis?: number;
  /** At intercepts that page their payload back: how many pages are asked for at once. */
  readonly pagesInFlight?: number;
  /** Answers frontend.event with an error, so that it gets its events alone. */
  readonly observes?: boolean;
}

/** The variable that makes this program a child, and holds its ChildOptions. */
export const CHILD = "BENCH_CHILD";

const PIECE_CHARS = 16_384;
const PAGE_BYTES = 262_144;

interface Frame {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly dataBase64: string };
}

type Reference = { readonly contentRef: string; readonly totalBytes: number; readonly sha256: string };

export function runChild(options: ChildOptions): void {
  const pages = new Map<number, (base64: string) => void>();
  let events = 0;
  let nextId = 1;
  let counted: { readonly id: number; readonly until: number } | null = null;
  const send = (frame: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  const tellCount = (): void => {
    if (counted === null || events < counted.until) return;
    send({ id: counted.id, result: { content: String(events), isError: false } });
    counted = null;
  };

  const page = (contentRef: string, offset: number): Promise<Buffer> =>
    new Promise((resolve) => {
      const id = nextId++;
      pages.set(id, (base64) => resolve(Buffer.from(base64, "base64")));
      send({ id, method: "host/content/read", params: { contentRef, offset } });
    });

  /** Pages the payload back, verifies and parses it. */
  const fetch = async ({ contentRef, totalBytes, sha256 }: Reference): Promise<void> => {
    const offsets = Array.from({ length: Math.ceil(totalBytes / PAGE_BYTES) }, (_, index) => index * PAGE_BYTES);
    const parts: Buffer[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < offsets.length; index = next++)
        parts[index] = await page(contentRef, offsets[index] ?? 0);
    };
    await Promise.all(Array.from({ length: options.pagesInFlight ?? 2 }, work));
    const bytes = Buffer.concat(parts);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw new Error("the content is not whole");
    JSON.parse(bytes.toString("utf8"));
  };

  const handle = async ({ id = 0, method, params = {} }: Frame): Promise<void> => {
    switch (method) {
      case "extension/initialize":
        return send({
          id,
          result: {
            name: "bench",
            version: "1.0.0",
            protocolVersion: "2",
            stateSchemaVersion: 0,
            providers: (options.providers ?? []).map((ref) => ({ ref })),
          },
        });
      case "extension/provider/catalog":
        return send({ id, result: { providers: (options.providers ?? []).map((ref) => ({ ref })) } });
      case "extension/intercept": {
        if (options.observes === true && params["event"] === "frontend.event")
          return send({ id, error: { code: -32603, message: "an observer" } });
        const [reference] = (params["externalized"] ?? []) as readonly Reference[];
        if (reference !== undefined) await fetch(reference);
        return send({ id, result: { decision: "continue" } });
      }
      case "extension/tool/call":
        counted = { id, until: Number((params["arguments"] as { readonly until: number }).until) };
        return tellCount();
      case "extension/provider/stream/open": {
        const pieces = streamPieces(String(params["streamId"]), Number(process.env["BENCH_CHUNKS"]));
        send({ id, result: { accepted: true } });
        return writeAll(pieces);
      }
      case "extension/shutdown":
        return send({ id, result: {} });
      default:
    }
  };

  readLines((line) => {
    // Events are counted and not looked at: what reading one costs is no matter of the side that is measured.
    if (line.startsWith('{"jsonrpc":"2.0","method":"extension/event"')) {
      events += 1;
      if (options.eventMillis !== undefined) workFor(options.eventMillis);
      return tellCount();
    }
    // Our own hosts and floors wrote it.
    const frame = JSON.parse(line) as Frame;
    if (frame.method === undefined) {
      pages.get(frame.id ?? 0)?.(frame.result?.dataBase64 ?? "");
      pages.delete(frame.id ?? 0);
    } else void handle(frame);
  });
  process.stdin.on("end", () => process.exit(0));
}

/** The frames of a stream of so many chunks, in pieces of 16 KiB, as SDKs join them. */
function streamPieces(streamId: string, chunks: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (let seq = 1; seq <= chunks; seq++) {
    const chunk = seq === chunks ? { type: "done" } : { type: "text", text: `token ${seq} ` };
    const params = { streamId, seq, chunk };
    piece += `${JSON.stringify({ jsonrpc: "2.0", method: "extension/provider/stream/chunk", params })}\n`;
    if (piece.length < PIECE_CHARS) continue;
    pieces.push(piece);
    piece = "";
  }
  const end = { jsonrpc: "2.0", method: "extension/provider/stream/end", params: { streamId, lastSeq: chunks } };
  return [...pieces, `${piece}${JSON.stringify(end)}\n`];
}

async function writeAll(pieces: readonly string[]): Promise<void> {
  for (const piece of pieces)
    if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once("drain", resolve));
}

function workFor(millis: number): void {
  const until = performance.now() + millis;
  while (performance.now() < until);
}

/** Bytes are joined until a line is whole, so that a line of 8 MiB is not copied for every piece of it. */
function readLines(take: (line: string) => void): void {
  let parts: string[] = [];
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (piece: string) => {
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      parts.push(piece.slice(start, end));
      const line = parts.length === 1 ? (parts[0] ?? "") : parts.join("");
      parts = [];
      start = end + 1;
      take(line);
    }
    if (start < piece.length) parts.push(piece.slice(start));
  });
}
