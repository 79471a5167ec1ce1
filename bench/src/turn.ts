/**
 * The hop in a real turn: our command and the reference host's, each with the same chain of sidecars and the same
 * scripted model, turn and turn about. `--json` prints the rows as JSON, `--quick` one short run,
 * `--only=<text>` the rows whose name holds the text.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, printRows, rowOf, type Row } from "./measure/rows.ts";
import { startModelServer, type ToolCall } from "./turn/model-server.ts";
import { openPlace, type Place, type Turn } from "./turn/place.ts";

const SIDECARS = 8;
const CALLS = 40;
/** Bytes of the file that each call writes, and with it nearly the size of the payload. */
const SIZES = [
  { label: "200 B", bytes: 200, atMost: 1 },
  { label: "4 KB", bytes: 4_000, atMost: 1 },
  { label: "7.5 KB", bytes: 7_500, atMost: 1 },
  { label: "19 KB", bytes: 19_000, atMost: 0.5 },
] as const;

const root = fileURLToPath(new URL("../../", import.meta.url));
const OURS = join(root, "packages/reasonix/bin/reasonix.mjs");
const REFERENCE = join(root, "node_modules/@reasonix/cli-linux-x64/bin/reasonix");

await main();

async function main(): Promise<void> {
  const asJson = process.argv.includes("--json");
  const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length) ?? "";
  const wanted = SIZES.filter(({ label }) => rowNames(label).some((name) => name.includes(only)));
  if (wanted.length === 0) return printRows([], asJson);
  if (process.platform !== "linux" || process.arch !== "x64") {
    process.stderr.write("turn: the reference host exists for linux-x64 only; nothing is compared here\n");
    return printRows([], asJson);
  }
  if (!existsSync(REFERENCE)) throw new Error(`${REFERENCE} is missing; run npm ci with optional dependencies`);
  const folder = await mkdtemp(join(tmpdir(), "bench-turn-"));
  const server = await startModelServer();
  try {
    const open = (name: string, command: string): Promise<Place> =>
      openPlace({
        host: { command, pin: pinning() },
        folder: join(folder, name),
        sidecar: join(root, "bench/fixtures/hop-sidecar.py"),
        sidecars: SIDECARS,
        modelUrl: server.url,
      });
    const places = { ours: await open("ours", OURS), theirs: await open("reference", REFERENCE) };
    const rows: Row[] = [];
    for (const size of wanted) {
      server.script(callsOf(size.bytes));
      rows.push(...(await measure(size, places)));
    }
    printRows(
      rows.filter(({ row }) => row.includes(only)),
      asJson,
    );
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  { label, atMost }: (typeof SIZES)[number],
  places: { readonly ours: Place; readonly theirs: Place },
): Promise<readonly Row[]> {
  const quick = process.argv.includes("--quick");
  const runs: { readonly ours: Turn; readonly theirs: Turn }[][] = [];
  for (let run = 0; run < (quick ? 1 : 3); run += 1) {
    const rounds: { readonly ours: Turn; readonly theirs: Turn }[] = [];
    for (let round = 0; round < (quick ? 2 : 3); round += 1) {
      // Who goes first changes with the round.
      if (round % 2 === 0) {
        const ours = await places.ours.turn(CALLS);
        rounds.push({ ours, theirs: await places.theirs.turn(CALLS) });
      } else {
        const theirs = await places.theirs.turn(CALLS);
        rounds.push({ ours: await places.ours.turn(CALLS), theirs });
      }
    }
    runs.push(rounds);
  }
  const compare = (row: string, unit: string, take: (turn: Turn) => number, goal?: number): Row =>
    rowOf(
      { row, against: "reference host", unit, ...(goal === undefined ? {} : { atMost: goal }) },
      runs.map((rounds) => rounds.map(({ ours, theirs }) => ({ ours: take(ours), theirs: take(theirs) }))),
    );
  const [hop, cost, whole] = rowNames(label);
  return [
    compare(hop, "µs", ({ micros }) => median(micros), atMost),
    compare(cost, "µs", ({ micros }) => quantile(micros, 0.9)),
    compare(whole, "ms", ({ wallMillis }) => wallMillis),
  ];
}

function rowNames(label: string): readonly [string, string, string] {
  return [`hop in a turn, ${label}`, `hop in a turn, ${label}, nine tenths below`, `whole run, ${label}`];
}

function callsOf(bytes: number): readonly ToolCall[] {
  return Array.from({ length: CALLS }, (_, index) => ({
    name: "write_file",
    arguments: JSON.stringify({ path: `out/${index}.txt`, content: "x".repeat(bytes) }),
  }));
}

/** Host and sidecars share one core, where the system can do that. */
function pinning(): readonly string[] {
  return spawnSync("taskset", ["-c", "1", "true"]).status === 0 ? ["taskset", "-c", "1"] : [];
}

/** The value that a share of all values stays below. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
