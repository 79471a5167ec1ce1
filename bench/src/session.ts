/**
 * What a session costs as it grows: a turn with a long history, and the resume of a large one, each against its own base
 * in the same run. `--json` prints the rows as JSON, `--quick` one short run.
 */
import { printRows } from "./measure/rows.ts";
import { measureHistory } from "./session/history.ts";
import { measureResume } from "./session/resume.ts";

const quick = process.argv.includes("--quick");
const rows = [
  await measureHistory(quick ? { runs: 1, rounds: 5 } : { runs: 3, rounds: 15 }),
  await measureResume(quick ? { runs: 1, rounds: 3 } : { runs: 3, rounds: 5 }),
];
printRows(rows, process.argv.includes("--json"));
process.exitCode = rows.every((row) => row.reached) ? 0 : 1;
