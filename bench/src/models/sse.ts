/** Measures streamed answers: our models against the bare parser that only splits the same bytes into events. */
import { Worker } from "node:worker_threads";
import { createModels, decodeProviders } from "@reasonix-ts/agent";
import { createParser } from "eventsource-parser";
import { CHUNKS } from "./answer-server.ts";

export interface StreamRow {
  readonly row: string;
  readonly against: "bare parser";
  /** Medians over all rounds, in chunks a second. */
  readonly ours: number;
  readonly theirs: number;
  /** Median over the runs of ours divided by theirs within one run. */
  readonly ratio: number;
  readonly goal: string;
  readonly reached: boolean;
}

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

export async function measureStreams(options: StreamOptions): Promise<readonly StreamRow[]> {
  const wanted = FORMATS.filter(({ row }) => row.includes(options.only));
  if (wanted.length === 0) return [];
  const server = new Worker(options.server);
  try {
    const port = await new Promise<number>((resolve, reject) => {
      server.once("message", resolve);
      server.once("error", reject);
    });
    const rows: StreamRow[] = [];
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
): Promise<StreamRow> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  for (let run = 0; run < runs; run++) {
    const rates: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] };
    for (let round = -WARM_UP_ROUNDS; round < roundsPerRun; round++) {
      const own = await rate(() => readWithModel(format.kind, origin));
      const bare = await rate(() => readBare(origin + format.path));
      if (round < 0) continue;
      rates.ours.push(own);
      rates.theirs.push(bare);
    }
    ours.push(...rates.ours);
    theirs.push(...rates.theirs);
    ratios.push(median(rates.ours) / median(rates.theirs));
  }
  const ratio = Number(median(ratios).toFixed(3));
  return {
    row: format.row,
    against: "bare parser",
    ours: Math.round(median(ours)),
    theirs: Math.round(median(theirs)),
    ratio,
    goal: `at least ${GOAL}`,
    reached: ratio >= GOAL,
  };
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}
