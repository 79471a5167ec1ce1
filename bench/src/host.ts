/**
 * The host with real sidecars against bare processes that exchange the same lines: rulings, chains, first turns,
 * events, a slow observer, a provider's stream, content by reference, starts. Interleaved within each run.
 * `--json` prints the rows as JSON, `--quick` one short run, `--only=<text>` the rows whose name holds the text.
 */
import { spawnSync } from "node:child_process";
import { CHILD, runChild, type ChildOptions } from "./host/child.ts";
import type { Side } from "./host/cold.ts";
import type { Row } from "./measure/rows.ts";

type Part = "calls" | "flows";

const childOptions = process.env[CHILD];
// Our own host or floor set it.
if (childOptions !== undefined) runChild(JSON.parse(childOptions) as ChildOptions);
else if (process.argv.includes("--cold=ours")) await takeTurns("ours");
else if (process.argv.includes("--cold=floor")) await takeTurns("floor");
else if (process.argv.includes("--measure=calls")) await measure("calls");
else if (process.argv.includes("--measure=flows")) await measure("flows");
else await runBoth();

/** Unpinned latency has two modes, so calls share one core with their sidecars; what flows uses all there are. */
async function runBoth(): Promise<void> {
  const { printRows } = await import("./measure/rows.ts");
  const rows = [...rowsOf("calls", ["taskset", "-c", "1"]), ...rowsOf("flows", [])];
  printRows(rows, process.argv.includes("--json"));
}

function rowsOf(part: Part, pinned: readonly string[]): readonly Row[] {
  const { NODE_EXTRA_CA_CERTS: _slowStart, ...environment } = process.env;
  const own = [process.execPath, ...process.execArgv, ...process.argv.slice(1), `--measure=${part}`];
  for (const prefix of pinned.length === 0 ? [[]] : [pinned, []]) {
    const [program = "", ...args] = [...prefix, ...own];
    const done = spawnSync(program, args, { stdio: ["ignore", "pipe", "inherit"], env: environment });
    // Where there is no taskset it is measured without.
    if (done.error !== undefined) continue;
    if (done.status !== 0) throw new Error(`the ${part} could not be measured`);
    // This very program wrote them.
    return JSON.parse(done.stdout.toString("utf8")) as readonly Row[];
  }
  throw new Error("no process could be started");
}

/** A fresh process that does nothing but its first turns. */
async function takeTurns(side: Side): Promise<void> {
  const { takeColdTurns } = await import("./host/cold.ts");
  process.stdout.write(String(await takeColdTurns(side)));
}

/** What a child has no use for is loaded here, so that its start is that of a small program. */
async function measure(part: Part): Promise<void> {
  const { measureCalls, measureFlows } = await import("./host/all.ts");
  const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length) ?? "";
  const quick = process.argv.includes("--quick");
  const effort = { runs: quick ? 1 : 3, rounds: 40, warmUp: 40, wants: (row: string) => row.includes(only) };
  const rows = part === "calls" ? await measureCalls(effort) : await measureFlows(effort);
  process.stdout.write(JSON.stringify(rows));
}
