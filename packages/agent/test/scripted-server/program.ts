/**
 * The scripted model server as a program: `node program.js [--port N] [--replies file.json] [--record file.jsonl]`.
 * Writes one line of JSON, `{"url": …}`, when it listens, and ends when its standard input does.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Reply } from "./script.ts";
import { startScriptedServer, type RecordedRequest } from "./server.ts";

const { values } = parseArgs({
  options: { port: { type: "string" }, replies: { type: "string" }, record: { type: "string" } },
});

const record = values.record;
const server = await startScriptedServer({
  port: Number(values.port ?? 0),
  replies: values.replies === undefined ? [] : repliesIn(values.replies),
  ...(record === undefined ? {} : { onRequest: (request) => appendFileSync(record, lineOf(request)) }),
});
console.log(JSON.stringify({ url: server.url }));
process.stdin.resume();
process.stdin.on("end", () => void server.close());
process.on("SIGTERM", () => {
  process.stdin.destroy();
  void server.close();
});

function repliesIn(file: string): readonly Reply[] {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(value)) throw new Error(`${file} holds no list of replies`);
  return value;
}

function lineOf({ method, path, headers, body }: RecordedRequest): string {
  return `${JSON.stringify({ method, path, headers, body: body.toString("utf8") })}\n`;
}
