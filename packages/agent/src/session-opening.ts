/** How a session is opened: its file is locked, read and mended, and the extensions are told. */
import { stat } from "node:fs/promises";
import { acquireLock, type Lock } from "@reasonix-ts/files";
import * as points from "./points.ts";
import type { SessionCore, SessionPorts } from "./session-core.ts";
import { SessionError } from "./session-error.ts";
import { forkSession, newSessionId, sessionPaths } from "./session/store.ts";
import { createTranscript, openTranscript, type Transcript } from "./session/transcript.ts";

/** Which session is opened: a new one, one that was stored, or a copy of one. */
export type SessionChoice =
  | { readonly kind: "new" }
  | { readonly kind: "resume"; readonly id: string }
  | { readonly kind: "fork"; readonly id: string };

export interface OpenedSession {
  readonly id: string;
  readonly transcript: Transcript;
  readonly lock: Lock;
  readonly repairs: readonly string[];
}

/** How long a session that another process holds is waited for. */
const LOCK_WAIT_MILLIS = 500;

export async function openSession(ports: SessionPorts, choice: SessionChoice): Promise<OpenedSession> {
  const { sessionsDir, workspaceRoot, clock } = ports;
  if (choice.kind === "new") return await openNewSession(ports, newSessionId(clock.now()));
  const id = choice.kind === "fork" ? await forkSession(sessionsDir, choice.id, clock.now()) : choice.id;
  const file = sessionPaths(sessionsDir, id).transcript;
  if (!(await exists(file))) {
    throw new SessionError("not_found", `There is no session ${id} in ${sessionsDir}.`);
  }
  const lock = await locked(file);
  try {
    const { transcript, repairs } = await openTranscript(file);
    const root = transcript.state.head?.workspaceRoot ?? workspaceRoot;
    const moved = root === workspaceRoot ? [] : [`This session was begun in ${root}; it goes on in ${workspaceRoot}.`];
    return { id, transcript, lock, repairs: [...repairs, ...moved] };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export async function openNewSession(
  { sessionsDir, workspaceRoot, clock }: SessionPorts,
  id: string,
): Promise<OpenedSession> {
  const file = sessionPaths(sessionsDir, id).transcript;
  const lock = await locked(file);
  try {
    const createdAt = new Date(clock.now()).toISOString();
    return { id, transcript: await createTranscript(file, { id, createdAt, workspaceRoot }), lock, repairs: [] };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function locked(file: string): Promise<Lock> {
  try {
    return await acquireLock(file, { waitMillis: LOCK_WAIT_MILLIS, purpose: "a session" });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SessionError("in_use", `The session is in use elsewhere: ${why}`, { cause });
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    // Whatever keeps it from being seen, there is no session to open.
    return false;
  }
}

/** The prompt is built first, once a generation; its failure does not keep the session from opening, but every turn. */
export async function announce(core: SessionCore, phase: "start" | "load"): Promise<void> {
  const lease = core.lease();
  if (lease === null) return;
  try {
    const scope = { agent: "main", sessionId: core.id };
    await core.pinned.of(lease, scope);
    const point = phase === "start" ? points.sessionStart : points.sessionLoad;
    const ruled = await point(lease, core.paths.transcript, scope);
    if (ruled.kind !== "proceed") {
      const verb = phase === "start" ? "opened" : "loaded";
      throw new SessionError("refused", `The session was not ${verb}. ${ruled.text}`);
    }
  } finally {
    lease.release();
  }
}
