/**
 * Round trips over the wire: floor, ours, the MCP SDK and vscode-jsonrpc as real child processes on one core,
 * interleaved in blocks within each run. `--json` prints the rows as JSON, `--quick` one short run.
 */
import { spawnSync } from "node:child_process";
import { printRows, rowOf, type Row } from "./measure/rows.ts";
import { contenderNames, type Contender, type ContenderName, type Payload } from "./wire/contender.ts";
import { answerFloor, startFloor } from "./wire/floor.ts";
import { answerOurs, startOurs } from "./wire/ours.ts";

interface Scenario {
  readonly row: string;
  readonly payloadBytes: number;
  readonly inFlight: number;
  readonly callsPerBlock: number;
  /** What a block is told in; the bounds are of ours divided by theirs. */
  readonly unit: "µs" | "calls/s";
  readonly goals: readonly Goal[];
}

interface Goal {
  readonly against: ContenderName;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** One number a block, in the scenario's unit, for each contender. */
type Blocks = Readonly<Record<ContenderName, readonly number[]>>;

const scenarios: readonly Scenario[] = [
  intercept("intercept 200 B", 200, 100, 1.25, 0.45, 0.4),
  intercept("intercept 4 KiB", 4_096, 100, 1.15, 0.6, 0.5),
  intercept("intercept 60 KiB", 61_440, 30, 1.2, 0.9, 0.9),
  {
    row: "32 in flight, 200 B",
    payloadBytes: 200,
    inFlight: 32,
    callsPerBlock: 640,
    unit: "calls/s",
    goals: [
      { against: "mcp", atLeast: 3.5 },
      { against: "vscode", atLeast: 3 },
    ],
  },
];

const quick = process.argv.includes("--quick");
/** Many short blocks: on a busy machine most of them pass undisturbed, and neighbours see the same weather. */
const blocksPerRun = quick ? 15 : 60;
/** Until the compiler has settled: what a cold call costs is another row. */
const warmUpBlocks = quick ? 15 : 60;

await main();

async function main(): Promise<void> {
  const answering = process.argv.indexOf("--answer");
  if (answering !== -1) await answerAs(process.argv[answering + 1]);
  else if (process.argv.includes("--pinned")) await measure();
  else pinAndRun();
}

/** Unpinned latency has two modes: both sides go to one core. */
function pinAndRun(): void {
  const self = [...process.execArgv, ...process.argv.slice(1), "--pinned"];
  const { NODE_EXTRA_CA_CERTS: _slowStart, ...environment } = process.env;
  const options = { stdio: "inherit", env: environment } as const;
  const pinned = spawnSync("taskset", ["-c", "1", process.execPath, ...self], options);
  const done = pinned.error === undefined ? pinned : spawnSync(process.execPath, self, options);
  process.exitCode = done.status ?? 1;
}

async function measure(): Promise<void> {
  const runs = quick ? 1 : 3;
  const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length);
  const blocks = new Map<Scenario, Blocks[]>(scenarios.map((scenario) => [scenario, []]));
  const wanted = [...blocks].filter(([{ row }]) => only === undefined || row.includes(only));
  for (let run = 0; run < runs && wanted.length > 0; run += 1) {
    const contenders = await startAll();
    for (const [scenario, measured] of wanted) measured.push(await runScenario(scenario, contenders));
    await Promise.all(contenders.map((contender) => contender.stop()));
  }
  const rows = wanted.flatMap(([scenario, runsOfBlocks]) => rowsOf(scenario, runsOfBlocks));
  printRows(rows, process.argv.includes("--json"));
}

/** Blocks that were measured one after the other make a round. */
function rowsOf({ row, unit, goals }: Scenario, runs: readonly Blocks[]): readonly Row[] {
  return goals.map((goal) => {
    const rounds = runs.map((blocks) =>
      blocks.ours.map((ours, round) => ({ ours, theirs: blocks[goal.against][round] ?? Number.NaN })),
    );
    return rowOf({ row, unit, ...goal }, rounds);
  });
}

async function runScenario(scenario: Scenario, contenders: readonly Contender[]): Promise<Blocks> {
  const blocks: Record<ContenderName, number[]> = { floor: [], ours: [], mcp: [], vscode: [] };
  const payload = { text: "x".repeat(scenario.payloadBytes - '{"text":""}'.length) };
  for (let round = -warmUpBlocks; round < blocksPerRun; round += 1) {
    // Each round starts with another contender, so that nobody always follows the same one.
    for (const [index] of contenders.entries()) {
      const contender = contenders[(index + round + warmUpBlocks) % contenders.length];
      if (contender === undefined) continue;
      const micros = await runBlock(contender, payload, scenario);
      if (round >= 0) blocks[contender.name].push(scenario.unit === "µs" ? micros : 1_000_000 / micros);
    }
  }
  return blocks;
}

/** Microseconds a call. */
async function runBlock(contender: Contender, payload: Payload, scenario: Scenario): Promise<number> {
  const { inFlight, callsPerBlock } = scenario;
  const started = performance.now();
  const lane = async (): Promise<void> => {
    for (let call = 0; call < callsPerBlock / inFlight; call += 1) await contender.call(payload);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return ((performance.now() - started) * 1000) / callsPerBlock;
}

/** The others are loaded by those who need them, so that no child carries another's code. */
async function startAll(): Promise<readonly Contender[]> {
  const { startMcp } = await import("./wire/mcp.ts");
  const { startVscode } = await import("./wire/vscode.ts");
  return [startFloor(), startOurs(), await startMcp(), startVscode()];
}

async function answerAs(name: string | undefined): Promise<void> {
  switch (contenderNames.find((known) => known === name)) {
    case "floor":
      return answerFloor();
    case "ours":
      return answerOurs();
    case "mcp":
      return (await import("./wire/mcp.ts")).answerMcp();
    case "vscode":
      return (await import("./wire/vscode.ts")).answerVscode();
    case undefined:
      throw new Error(`--answer wants one of ${contenderNames.join(", ")}, not ${String(name)}`);
  }
}

function intercept(
  row: string,
  payloadBytes: number,
  callsPerBlock: number,
  floor: number,
  mcp: number,
  vscode: number,
): Scenario {
  const goals: readonly Goal[] = [
    { against: "floor", atMost: floor },
    { against: "mcp", atMost: mcp },
    { against: "vscode", atMost: vscode },
  ];
  return { row, payloadBytes, inFlight: 1, callsPerBlock, unit: "µs", goals };
}
