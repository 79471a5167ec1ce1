/** Shell commands that run in the background of a session; each ends at the latest with the session. */
import { randomBytes } from "node:crypto";
import { startProcess, tailOf, type ManagedProcess, type Tail } from "@reasonix-ts/process";
import type { ShellLine } from "./shell.ts";

export interface JobView {
  readonly id: string;
  readonly command: string;
  readonly state: "running" | "ended" | "killed";
  /** Exit code or signal in words; null while it runs. */
  readonly ended: string | null;
}

interface Job {
  readonly id: string;
  readonly command: string;
  readonly process: ManagedProcess;
  readonly output: Tail;
  killed: boolean;
}

/** Kept of each job's output: the last part. */
const OUTPUT_BYTES = 1_048_576;
const RUNNING_JOBS = 16;

export class Jobs {
  readonly #jobs = new Map<string, Job>();

  /** Throws StartError, or an Error where too many run. */
  async start(script: string, line: ShellLine, cwd: string): Promise<string> {
    const running = [...this.#jobs.values()].filter((job) => job.process.exit() === null).length;
    if (running >= RUNNING_JOBS) throw new Error(`${RUNNING_JOBS} jobs run already; end one with job_kill first.`);
    const child = await startProcess({ ...line, cwd });
    child.stdin.end();
    const id = `job_${randomBytes(3).toString("hex")}`;
    const output = tailOf(child.stdout, { maxBytes: OUTPUT_BYTES });
    child.stderr.resume();
    this.#jobs.set(id, { id, command: script, process: child, output, killed: false });
    return id;
  }

  list(): readonly JobView[] {
    return [...this.#jobs.values()].map(viewOf);
  }

  view(id: string): JobView | null {
    const job = this.#jobs.get(id);
    return job === undefined ? null : viewOf(job);
  }

  output(id: string): string {
    return this.#jobs.get(id)?.output.text() ?? "";
  }

  /** Settles when the job has ended; at once for one that has, or that is not known. */
  async ended(id: string): Promise<void> {
    await this.#jobs.get(id)?.process.exited;
  }

  async kill(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    job.killed = job.process.exit() === null;
    await job.process.end({ graceMillis: 500, signal: "SIGTERM" });
  }

  /** Ends every job that still runs. */
  async close(): Promise<void> {
    await Promise.all([...this.#jobs.keys()].map((id) => this.kill(id)));
  }
}

function viewOf(job: Job): JobView {
  const exit = job.process.exit();
  if (exit === null) return { id: job.id, command: job.command, state: "running", ended: null };
  const ended = exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `signal ${exit.signal}`;
  return { id: job.id, command: job.command, state: job.killed ? "killed" : "ended", ended };
}
