/**
 * What a session costs as it grows: a turn with a long history, and the resume of a large one, each against its own base
 * in the same run. `--json` prints the rows as JSON, `--quick` one short run, `--only=<text>` the rows whose name holds
 * the text.
 */
import { printRows, type Row } from "./measure/rows.ts";
import { HISTORY_ROW, measureHistory } from "./session/history.ts";
import { measureResume, RESUME_ROW } from "./session/resume.ts";

const quick = process.argv.includes("--quick");
const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length) ?? "";
const rows: Row[] = [];
if (HISTORY_ROW.includes(only))
  rows.push(await measureHistory(quick ? { runs: 1, rounds: 5 } : { runs: 3, rounds: 15 }));
if (RESUME_ROW.includes(only)) rows.push(await measureResume(quick ? { runs: 1, rounds: 3 } : { runs: 3, rounds: 5 }));
printRows(rows, process.argv.includes("--json"));
