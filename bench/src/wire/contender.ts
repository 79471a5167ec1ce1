/** What is measured: a caller in this process and a child that answers, over the child's pipes. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";

export interface Contender {
  readonly name: ContenderName;
  /** One call with this payload; resolves when the answer has been read, and fails if it is not the right one. */
  call(payload: Payload): Promise<void>;
  stop(): Promise<void>;
}

export const contenderNames = ["floor", "ours", "mcp", "vscode"] as const;
export type ContenderName = (typeof contenderNames)[number];

export interface Payload {
  readonly text: string;
}

/** What each child answers. */
export const answer = { decision: "continue" } as const;

export function checkAnswer(result: unknown): void {
  const given = typeof result === "object" && result !== null && "decision" in result ? result.decision : undefined;
  if (given !== answer.decision) throw new Error(`wrong answer: ${JSON.stringify(result)}`);
}

/** This very program as the answering side. It inherits the core this process is pinned to. */
export function spawnChild(name: ContenderName): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...childArguments(name)], { stdio: "pipe" });
}

export function childArguments(name: ContenderName): readonly string[] {
  const program = process.argv[1];
  if (program === undefined) throw new Error("the benchmark must run from a file");
  return [program, "--answer", name];
}

/** Ends the child's input and waits for its exit. */
export function stopChild(child: ChildProcessWithoutNullStreams): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  child.stdin.end();
  return gone;
}
