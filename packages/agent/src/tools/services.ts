/** What a session lends to the tools that run in it. */
import type { Person } from "../ports.ts";
import type { Confinement } from "../permissions/sandbox.ts";
import type { Jobs } from "./jobs.ts";
import type { UndoJournal } from "../session/undo.ts";

export interface Todo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** Runs a sub-agent to its end and tells what it answered. */
export type RunSubagent = (
  request: { readonly agent: string | null; readonly prompt: string },
  options: { readonly callId: string; readonly signal: AbortSignal },
) => Promise<{ readonly text: string; readonly isError: boolean }>;

export interface ToolServices {
  readonly workspaceRoot: string;
  /** Where whole results are kept when the model gets a part. */
  readonly resultsDir: string;
  readonly person: Person;
  readonly jobs: Jobs;
  readonly undo: UndoJournal;
  /** How commands are confined now; asked at each command, since the mode can change. */
  readonly confinement: () => Promise<Confinement>;
  /** Addresses that web_fetch may reach although they are private, such as `127.0.0.1:8080`. */
  readonly fetchAllow: readonly string[];
  readonly setTodos: (todos: readonly Todo[]) => void;
  /** Null inside a sub-agent: they do not nest. */
  readonly runSubagent: RunSubagent | null;
}
