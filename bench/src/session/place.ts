/** A session in a folder of its own, with a model that answers at once and a frontend that only counts. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createSession,
  sessionSettings,
  systemClock,
  type Models,
  type Session,
  type SessionChoice,
} from "@reasonix-ts/agent";

export interface Place {
  open(models: Models, choice?: SessionChoice): Promise<Session>;
  /** Events that the frontend has seen so far. */
  events(): number;
  close(): Promise<void>;
}

export async function openPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "bench-session-"));
  const workspaceRoot = join(folder, "workspace");
  await mkdir(workspaceRoot);
  let events = 0;
  return {
    open: (models, choice) =>
      createSession(
        {
          workspaceRoot,
          sessionsDir: join(folder, "sessions"),
          models,
          extensions: null,
          person: { present: false, ask: async () => ({ kind: "cancelled" }), askPermission: async () => "no" },
          emit: () => void events++,
          clock: systemClock,
          settings: sessionSettings("bench/m"),
        },
        choice,
      ),
    events: () => events,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Answers with one short text; its window never fills. */
export const SHORT_ANSWERS: Models = {
  list: () => [],
  resolve: (ref) => ({
    ref,
    descriptor: { ref, contextWindow: 1_000_000_000_000 },
    async *stream() {
      yield [{ type: "text", text: "An answer of a few words, as short as they come." }, { type: "done" }];
    },
  }),
};
