/** Measures streamed answers: our models against the bare parser that only splits the same bytes into events. */
import { Worker } from "node:worker_threads";
import { createModels, decodeProviders } from "@reasonix-ts/agent";
import { createParser } from "eventsource-parser";
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import { CHUNKS } from "./answer-server.ts";

export interface StreamOptions {
  /** The program that calls `serveAnswer` in a thread. */
  readonly server: URL;
  readonly runs: number;
  readonly roundsPerRun: number;
  /** Only rows whose name holds this text. */
  readonly only: string;
}

const GOAL = 0.5;
const WARM_UP_ROUNDS = 3;

const FORMATS = [
  { kind: "openai", path: "/v1/chat/completions", row: "20,000 chunks, chat completions" },
  { kind: "anthropic", path: "/v1/messages", row: "20,000 chunks, messages" },
] as const;

export async function measureStreams(options: StreamOptions): Promise<readonly Row[]> {
  const wanted = FORMATS.filter(({ row }) => row.includes(options.only));
  if (wanted.length === 0) return [];
  const server = new Worker(options.server);
  try {
    const port = await new Promise<number>((resolve, reject) => {
      server.once("message", resolve);
      server.once("error", reject);
    });
    const rows: Row[] = [];
    for (const format of wanted) rows.push(await measure(format, `http://127.0.0.1:${port}`, options));
    return rows;
  } finally {
    await server.terminate();
  }
}

async function measure(
  format: (typeof FORMATS)[number],
  origin: string,
  { runs, roundsPerRun }: StreamOptions,
): Promise<Row> {
  const measured: Round[][] = [];
  for (let run = 0; run < runs; run++) {
    const rounds: Round[] = [];
    for (let round = -WARM_UP_ROUNDS; round < roundsPerRun; round++) {
      const ours = await rate(() => readWithModel(format.kind, origin));
      const theirs = await rate(() => readBare(origin + format.path));
      if (round >= 0) rounds.push({ ours, theirs });
    }
    measured.push(rounds);
  }
  return rowOf({ row: format.row, against: "bare parser", unit: "chunks/s", atLeast: GOAL }, measured);
}

async function rate(read: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const count = await read();
  const seconds = (performance.now() - started) / 1_000;
  // A stream that brought less would be a fast and empty run.
  if (count < CHUNKS) throw new Error(`${count} chunks came, ${CHUNKS} were sent`);
  return CHUNKS / seconds;
}

async function readWithModel(kind: "anthropic" | "openai", origin: string): Promise<number> {
  const { providers } = decodeProviders([{ name: "bench", kind, base_url: `${origin}/v1`, models: ["m"] }]);
  const models = createModels({ providers, apiKey: () => undefined, clock: { now: () => Date.now() } });
  const request = { messages: [{ role: "user" as const, content: "go" }], tools: [], maxTokens: 0 };
  let count = 0;
  for await (const batch of models.resolve("bench/m", null).stream(request, {})) {
    for (const chunk of batch) if (chunk.type === "text") count++;
  }
  return count;
}

async function readBare(url: string): Promise<number> {
  const response = await fetch(url, { method: "POST", body: "{}" });
  if (response.body === null) throw new Error("no body came");
  let count = 0;
  const parser = createParser({ onEvent: () => void count++ });
  const text = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return count;
    parser.feed(text.decode(value, { stream: true }));
  }
}
