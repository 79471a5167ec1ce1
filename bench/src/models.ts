/**
 * A streamed model answer of 20,000 chunks over HTTP against the bare event-stream parser on the same bytes,
 * alternating within one run. `--json` prints the rows as JSON, `--quick` one short run,
 * `--only=<text>` the rows whose name holds the text.
 */
import { isMainThread } from "node:worker_threads";
import { printRows } from "./measure/rows.ts";
import { measureStreams } from "./models/sse.ts";
import { serveAnswer } from "./models/answer-server.ts";

if (isMainThread) await main();
else await serveAnswer();

async function main(): Promise<void> {
  const rows = await measureStreams({
    server: new URL(import.meta.url),
    runs: process.argv.includes("--quick") ? 1 : 3,
    roundsPerRun: 9,
    only: process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length) ?? "",
  });
  printRows(rows, process.argv.includes("--json"));
}
