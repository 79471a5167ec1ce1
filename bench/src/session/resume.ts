/** Opening a stored session of 50 MB, against reading and parsing the same file. */
import { readFile, writeFile } from "node:fs/promises";
import { rowOf, type Round, type Row } from "../measure/rows.ts";
import { openPlace, SHORT_ANSWERS } from "./place.ts";

export const RESUME_ROW = "a session of 50 MB resumed";

const BYTES = 50_000_000;

export async function measureResume(options: { readonly runs: number; readonly rounds: number }): Promise<Row> {
  const place = await openPlace();
  try {
    const first = await place.open(SHORT_ANSWERS);
    const { id, file } = first;
    // A session in which nothing was said leaves no file.
    await first.turn("a question");
    await first.close();
    const head = (await readFile(file, "utf8")).split("\n")[0] ?? "";
    const messages = await writeTranscript(file, head);
    const runs: Round[][] = [];
    for (let run = 0; run < options.runs; run++) {
      const rounds: Round[] = [];
      for (let round = 0; round < options.rounds; round++) {
        const theirs = await timed(() => readAndParse(file));
        let opened = 0;
        const ours = await timed(async () => {
          const session = await place.open(SHORT_ANSWERS, { kind: "resume", id });
          opened = session.entries.length;
          await session.close();
        });
        if (opened !== messages) throw new Error(`${opened} messages were opened, ${messages} were written`);
        rounds.push({ ours, theirs });
      }
      runs.push(rounds);
    }
    return rowOf({ row: RESUME_ROW, against: "read and parsed", unit: "ms" }, runs);
  } finally {
    await place.close();
  }
}

/** Questions, and answers of some four kilobytes with code in them; returns how many messages were written. */
async function writeTranscript(file: string, head: string): Promise<number> {
  const content = `${"Words of an answer. ".repeat(150)}${'const quoted = "a \\"string\\"";\n'.repeat(30)}`;
  const pair = [
    JSON.stringify({ type: "message", message: { role: "user", content: "a question" } }),
    JSON.stringify({ type: "message", message: { role: "assistant", content } }),
  ].join("\n");
  const pairs = Math.ceil(BYTES / pair.length);
  await writeFile(file, `${[head, ...Array.from({ length: pairs }, () => pair)].join("\n")}\n`);
  return 2 * pairs;
}

async function readAndParse(file: string): Promise<void> {
  for (const line of (await readFile(file, "utf8")).split("\n")) if (line !== "") JSON.parse(line);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
