/** The folder of sessions: names, list, fork. */
import { randomBytes } from "node:crypto";
import { copyFile, open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { readRecords, writeFileAtomic } from "@reasonix-ts/files";
import { codeOf } from "../tools/paths.ts";
import { decodeRecord, SESSION_VERSION, type SessionHead } from "./records.ts";

export interface SessionPaths {
  readonly transcript: string;
  /** What extensions keep about the session. */
  readonly extensions: string;
  /** Whole results of tools. */
  readonly results: string;
  /** What files held before turns changed them. */
  readonly undo: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly file: string;
  readonly workspaceRoot: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  readonly bytes: number;
  /** What the person first typed; empty before the first turn. */
  readonly title: string;
}

/** Sorts by time and is unlike any other. */
export function newSessionId(now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${stamp}-${randomBytes(4).toString("hex")}`;
}

const ID = /^[\w-]{1,100}$/;

export function sessionPaths(sessionsDir: string, id: string): SessionPaths {
  if (!ID.test(id)) throw new Error(`${JSON.stringify(id)} is no session id; \`reasonix sessions\` lists them.`);
  const base = path.join(sessionsDir, id);
  return {
    transcript: `${base}.jsonl`,
    extensions: `${base}.extensions.json`,
    results: `${base}.results`,
    undo: `${base}.undo`,
  };
}

/** Newest first; of `workspaceRoot` alone where it is given. Reads the beginning of each file only. */
export async function listSessions(
  sessionsDir: string,
  options: { readonly workspaceRoot?: string } = {},
): Promise<readonly SessionSummary[]> {
  const found: SessionSummary[] = [];
  for (const name of await namesIn(sessionsDir)) {
    if (!name.endsWith(".jsonl")) continue;
    const summary = await summaryOf(path.join(sessionsDir, name));
    if (summary === null) continue;
    if (options.workspaceRoot === undefined || summary.workspaceRoot === options.workspaceRoot) found.push(summary);
  }
  return found.sort((left, right) => right.changedAt - left.changedAt || (left.id < right.id ? 1 : -1));
}

/** Copies a session, its extension state with it, under a new id. Its undo journal stays with the original. */
export async function forkSession(sessionsDir: string, from: string, now: number): Promise<string> {
  const source = sessionPaths(sessionsDir, from);
  const id = newSessionId(now);
  const target = sessionPaths(sessionsDir, id);
  const lines: string[] = [];
  let head: SessionHead | null = null;
  await readRecords(source.transcript, (value) => {
    const record = decodeRecord(value);
    if (record?.type === "session") head ??= record;
    else lines.push(JSON.stringify(value));
  });
  // Assigned inside a callback, which the compiler does not follow.
  const found = head as SessionHead | null;
  if (found === null) throw new Error(`There is no session ${from} in ${sessionsDir}.`);
  const { workspaceRoot } = found;
  const createdAt = new Date(now).toISOString();
  const first: SessionHead = {
    type: "session",
    version: SESSION_VERSION,
    id,
    createdAt,
    workspaceRoot,
    forkedFrom: from,
  };
  await writeFileAtomic(target.transcript, `${[JSON.stringify(first), ...lines].join("\n")}\n`, { mode: 0o600 });
  try {
    await copyFile(source.extensions, target.extensions);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return id;
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** Enough for the head and, unless it is very long, the first thing that was typed. */
const HEAD_BYTES = 65_536;
const TITLE_CHARACTERS = 100;

async function summaryOf(file: string): Promise<SessionSummary | null> {
  const handle = await open(file);
  let text: string;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    text = buffer.subarray(0, bytesRead).toString("utf8");
  } finally {
    await handle.close();
  }
  let head: SessionHead | null = null;
  let title = "";
  for (const line of text.split("\n")) {
    const record = recordOf(line);
    if (record === null) continue;
    if (record.type === "session") head = record;
    if (record.type !== "message" || record.message.role !== "user") continue;
    title = (record.typed ?? record.message.content ?? "").replace(/\s+/g, " ").trim().slice(0, TITLE_CHARACTERS);
    break;
  }
  if (head === null) return null;
  const { size, mtimeMs } = await stat(file);
  const { id, workspaceRoot, createdAt } = head;
  return { id, file, workspaceRoot, createdAt, changedAt: mtimeMs, bytes: size, title };
}

function recordOf(line: string): ReturnType<typeof decodeRecord> {
  try {
    return decodeRecord(JSON.parse(line));
  } catch {
    // The line at the end of what was read is cut, or the file is no session.
    return null;
  }
}
