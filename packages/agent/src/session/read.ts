/** Reads a stored session for people, without opening it: nothing is locked, mended or written. */
import { readRecords } from "@reasonix-ts/files";
import { comparePrefix, type PrefixReport } from "../prompt/prefix.ts";
import { decodeRecord } from "./records.ts";
import { apply, emptyReplay, type TranscriptEntry } from "./replay.ts";

export interface StoredSession {
  /** What people see of the conversation, folded messages included. */
  readonly entries: readonly TranscriptEntry[];
  /** What requests of the last turn began with, and what differed from the one before; null before the first turn. */
  readonly prefix: PrefixReport | null;
}

/** `file` is the transcript's path; a torn last line and records of a newer version are passed over. */
export async function readSession(file: string): Promise<StoredSession> {
  const replay = emptyReplay();
  let before = replay.prefix;
  await readRecords(file, (value) => {
    const record = decodeRecord(value);
    if (record === null) return;
    if (record.type === "prefix") before = replay.prefix;
    apply(replay, record);
  });
  return {
    entries: replay.entries,
    prefix: replay.prefix === null ? null : comparePrefix(replay.prefix, before),
  };
}
