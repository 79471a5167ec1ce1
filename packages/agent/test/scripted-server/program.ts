/**
 * The scripted model server as a program: `node program.js [--port N] [--replies file.json] [--record file.jsonl]`.
 * Writes one line of JSON, `{"url": …}`, when it listens, and ends when its standard input does.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Reply } from "./script.ts";
import { startScriptedServer, type RecordedRequest } from "./server.ts";

const OPTIONS = {
  port: { type: "string" },
  replies: { type: "string" },
  record: { type: "string" },
  help: { type: "boolean" },
} as const;

const USAGE = `Usage: node program.js [options]

A model server on 127.0.0.1 that speaks the wire formats of OpenAI and Anthropic and answers by script.

  --port <number>     listens there; any free port without it
  --replies <file>    a JSON list of replies, one for each request; without it, and after the last, it repeats what was said
  --record <file>     appends each request as a line of JSON
  --help              this text

Writes {"url": …} as one line when it listens, and ends when its standard input does.
`;

try {
  await main();
} catch (error) {
  process.stderr.write(`scripted-server: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { port, replies, record, help } = parseArgs({ options: OPTIONS }).values;
  if (help === true) return void process.stdout.write(USAGE);
  const server = await startScriptedServer({
    port: portIn(port ?? "0"),
    replies: replies === undefined ? [] : repliesIn(replies),
    ...(record === undefined ? {} : { onRequest: (request) => appendFileSync(record, lineOf(request)) }),
  });
  console.log(JSON.stringify({ url: server.url }));
  process.stdin.resume();
  process.stdin.on("end", () => void server.close());
  process.on("SIGTERM", () => {
    process.stdin.destroy();
    void server.close();
  });
}

function portIn(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error(`--port is a number of at most 65535; "${text}" came`);
}

function repliesIn(file: string): readonly Reply[] {
  const value = jsonIn(file);
  if (!Array.isArray(value)) throw new Error(`${file} holds no list of replies`);
  return value;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function lineOf({ method, path, headers, body }: RecordedRequest): string {
  return `${JSON.stringify({ method, path, headers, body: body.toString("utf8") })}\n`;
}
