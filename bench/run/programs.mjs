/** Which programs there are, what they measure, and how one is run. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const DEADLINE = 15 * 60_000;

/** Title, the unit of rows that name none, and the method, for the results page. A program that is not here is run all the same. */
const KNOWN = {
  wire: {
    title: "The wire",
    unit: "µs",
    method:
      "One call to a real child process over its pipes; 32 at once in the last row. The floor is the same JSON lines with a framer, `JSON.parse` and `JSON.stringify` alone.",
  },
  host: { title: "The host", unit: "µs", method: "The host with real sidecars, see README.md." },
  session: {
    title: "Sessions",
    unit: "ms",
    method: "What a session costs as it grows, without a network, against its own base in the same run.",
  },
  models: {
    title: "Models",
    unit: "chunks/s",
    method:
      "A streamed answer of 20,000 chunks over HTTP, read by a configured model; against `fetch` with a parser that only splits the same bytes into events.",
  },
  turn: {
    title: "A whole turn, here and on the reference host",
    unit: "µs",
    method:
      "The command of each host runs the same headless turn: one scripted model answer with 40 calls of `write_file`, each passing a chain of eight copies of one sidecar program at `tool.before`. A hop is what lies between a sidecar's reply and the next one's receipt of the same call, on the system's monotonic clock. Every sidecar must have been asked 40 times, or the bench fails. Host and sidecars share one core; the hosts take turns.",
  },
  commands: {
    title: "Commands",
    unit: "ms",
    method: "From the start of the process to its end, against the least that such a command could cost.",
  },
};

/** In the order of the page: known ones first. */
export function listPrograms(root) {
  const names = readdirSync(join(root, "bench/src"))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.replace(/\.ts$/, ""));
  const known = Object.keys(KNOWN).filter((name) => names.includes(name));
  const others = names.filter((name) => !(name in KNOWN)).toSorted();
  return [...known, ...others].map((name) => ({ name, ...(KNOWN[name] ?? { title: name, unit: "", method: "" }) }));
}

/** `rows`, and `failure`: null, or why there are none. */
export function runProgram(root, program, { quick, only }) {
  const file = join(root, "bench/dist", `${program.name}.js`);
  const options = ["--json", ...(quick ? ["--quick"] : []), ...(only === undefined ? [] : [`--only=${only}`])];
  // Where it is set it slows every start of Node.
  const { NODE_EXTRA_CA_CERTS: _slowStart, ...env } = process.env;
  const result = spawnSync(process.execPath, [file, ...options], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    timeout: DEADLINE,
    maxBuffer: 16 * 1024 * 1024,
  });
  if (result.error !== undefined) return { rows: [], failure: result.error.message };
  if (result.status === null) return { rows: [], failure: `was ended by ${result.signal}` };
  // A goal that is missed may show in the exit code; rows are rows.
  try {
    const rows = JSON.parse(result.stdout).filter((row) => only === undefined || row.row.includes(only));
    return { rows: rows.map((row) => ({ unit: program.unit, ...row })), failure: null };
  } catch {
    return { rows: [], failure: `ended with ${result.status} and printed no rows` };
  }
}
