/** job_output and job_kill: commands that run in the background. */
import { boolean, integer, nonEmpty, object, optional } from "@reasonix-ts/protocol";
import { didYouMean } from "@reasonix-ts/text";
import type { Jobs, JobView } from "./jobs.ts";
import { defineTool, done, refused, type ToolOutput } from "./tool.ts";

const DEFAULT_WAIT_MILLIS = 30_000;
const MAX_WAIT_MILLIS = 600_000;

export const jobOutputTool = defineTool({
  name: "job_output",
  description: "Read what a background job has written, and whether it still runs.",
  arguments: object({
    job_id: nonEmpty,
    wait: optional(boolean),
    timeout_ms: optional(integer({ min: 1, max: MAX_WAIT_MILLIS })),
    filter: optional(nonEmpty),
  }),
  notes: {
    job_id: "The id that bash gave.",
    wait: "Wait until the job ends, at most timeout_ms.",
    timeout_ms: "Milliseconds to wait; 30000 by default.",
    filter: "Regular expression; only lines that match come back.",
  },
  readOnly: true,
  subject: () => ({ kind: "nothing" }),
  async run(args, { services: { jobs }, signal }) {
    if (jobs.view(args.job_id) === null) return unknownJob(jobs, args.job_id);
    const filter = args.filter === undefined ? null : expression(args.filter);
    if (filter instanceof SyntaxError) return refused(`filter is no regular expression: ${filter.message}`);
    if (args.wait === true) await endOrTimeout(jobs, args.job_id, args.timeout_ms ?? DEFAULT_WAIT_MILLIS, signal);
    const lines = jobs.output(args.job_id).split("\n");
    const text = (filter === null ? lines : lines.filter((line) => filter.test(line))).join("\n").trimEnd();
    const view = jobs.view(args.job_id);
    return done(`${text === "" ? "(no output)" : text}\n[${stateOf(view)}]`);
  },
});

export const jobKillTool = defineTool({
  name: "job_kill",
  description: "End a background job and all that it started.",
  arguments: object({ job_id: nonEmpty }),
  notes: { job_id: "The id that bash gave." },
  readOnly: false,
  subject: () => ({ kind: "nothing" }),
  async run(args, { services: { jobs } }) {
    if (jobs.view(args.job_id) === null) return unknownJob(jobs, args.job_id);
    await jobs.kill(args.job_id);
    return done(`${args.job_id}: ${stateOf(jobs.view(args.job_id))}`);
  },
});

function unknownJob(jobs: Jobs, id: string): ToolOutput {
  const known = jobs.list().map((job) => job.id);
  const list = known.length === 0 ? "There are none." : `Jobs: ${known.join(", ")}.`;
  return refused(`There is no job ${JSON.stringify(id)}.${didYouMean(id, known)} ${list}`);
}

function stateOf(view: JobView | null): string {
  switch (view?.state) {
    case "running":
      return "it still runs";
    case "killed":
      return `it was ended: ${view.ended ?? ""}`;
    case "ended":
      return `it ended: ${view.ended ?? ""}`;
    case undefined:
      return "it is gone";
  }
}

function expression(source: string): RegExp | SyntaxError {
  try {
    return new RegExp(source);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

/** Leaves no timer and no listener behind, whichever comes first. */
async function endOrTimeout(jobs: Jobs, id: string, millis: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", settle);
      resolve();
    };
    const timer = setTimeout(settle, millis);
    signal.addEventListener("abort", settle, { once: true });
    if (signal.aborted) settle();
    void jobs.ended(id).then(settle);
  });
}
