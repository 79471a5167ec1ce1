/** bash: a shell command, confined by the session's mode, with a time limit and its whole tree ended. */
import { runProgram, StartError } from "@reasonix-ts/process";
import { boolean, integer, nonEmpty, object, optional } from "@reasonix-ts/protocol";
import { formatMillis } from "@reasonix-ts/text";
import { shellLine, type ShellLine } from "./shell.ts";
import { defineTool, done, refused, type ToolContext, type ToolOutput } from "./tool.ts";

const DEFAULT_TIMEOUT_MILLIS = 120_000;
const MAX_TIMEOUT_MILLIS = 3_600_000;
/** Kept of the output; the model gets a part of it, the rest is in a file. */
const OUTPUT_BYTES = 16 * 1_048_576;

export const bashTool = defineTool({
  name: "bash",
  description:
    "Run a command with bash in the workspace. Each call is a new shell. Output and errors come back together. " +
    "Use run_in_background for servers and long work, then job_output and job_kill.",
  arguments: object({
    command: nonEmpty,
    timeout_ms: optional(integer({ min: 1, max: MAX_TIMEOUT_MILLIS })),
    run_in_background: optional(boolean),
  }),
  notes: {
    command: "The command line.",
    timeout_ms: "Milliseconds after which it is ended; 120000 by default.",
    run_in_background: "Start it as a job and go on.",
  },
  readOnly: false,
  subject: (args) => ({ kind: "command", command: args.command }),
  async run(args, context) {
    const { services } = context;
    const line = shellLine(args.command, services.workspaceRoot, await services.confinement());
    try {
      if (args.run_in_background === true) {
        const id = await services.jobs.start(args.command, line, services.workspaceRoot);
        return done(`Started as ${id}. Read its output with job_output, end it with job_kill.`);
      }
      return await runToEnd(line, args.timeout_ms ?? DEFAULT_TIMEOUT_MILLIS, context);
    } catch (error) {
      if (error instanceof StartError) return refused(`bash could not be started: ${error.message}`);
      throw error;
    }
  },
});

async function runToEnd(line: ShellLine, timeoutMillis: number, context: ToolContext): Promise<ToolOutput> {
  const decoder = new TextDecoder();
  const result = await runProgram({
    ...line,
    cwd: context.services.workspaceRoot,
    timeoutMillis,
    maxOutputBytes: OUTPUT_BYTES,
    onStdout: (piece) => context.progress(decoder.decode(piece, { stream: true })),
    signal: context.signal,
  });
  // Standard error holds what was written before the shell joined it to standard output: bubblewrap's own complaints.
  const output = [result.stderr.text, result.stdout.text].filter((text) => text !== "").join("");
  const note = endNote(result.outcome, result.exit, timeoutMillis);
  if (note === null) return done(output === "" ? "(no output)" : output.replace(/\n$/, ""));
  const text = output === "" ? note : `${output.replace(/\n$/, "")}\n${note}`;
  return { text, isError: true };
}

function endNote(
  outcome: "exited" | "timed_out" | "aborted",
  exit: { readonly code: number | null; readonly signal: string | null } | null,
  timeoutMillis: number,
): string | null {
  switch (outcome) {
    case "timed_out":
      return `[ended after ${formatMillis(timeoutMillis)}: raise timeout_ms or use run_in_background]`;
    case "aborted":
      return "[interrupted]";
    case "exited":
      if (exit === null) return "[the command did not let itself be ended]";
      if (exit.signal !== null) return `[ended by signal ${exit.signal}]`;
      return exit.code === 0 ? null : `[exit code ${exit.code ?? "unknown"}]`;
  }
}
