/** A session's conversation on disk: read whole, then only appended to. */
import { rm } from "node:fs/promises";
import { openAppend, readRecords, type AppendFile } from "@reasonix-ts/files";
import type { FoldRange } from "../compaction/when.ts";
import type { StoredMessage } from "../ports.ts";
import type { Conversation, MessageFacts } from "../run.ts";
import { apply, emptyReplay, isEmpty, openCallResults, type Replay, type TranscriptEntry } from "./replay.ts";
import { decodeRecord, SESSION_VERSION, type SessionHead, type SessionRecord } from "./records.ts";

export interface OpenedTranscript {
  readonly transcript: Transcript;
  /** What had to be mended, for people: a torn line, records not understood, an interrupted turn. */
  readonly repairs: readonly string[];
}

export class Transcript implements Conversation {
  readonly file: string;
  readonly #replay: Replay;
  readonly #append: AppendFile;

  constructor(file: string, replay: Replay, append: AppendFile) {
    this.file = file;
    this.#replay = replay;
    this.#append = append;
  }

  get messages(): readonly StoredMessage[] {
    return this.#replay.messages;
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#replay.entries;
  }

  get state(): Readonly<Replay> {
    return this.#replay;
  }

  append(message: StoredMessage, about: MessageFacts = {}): Promise<void> {
    return this.record({ type: "message", message, ...about });
  }

  fold({ from, to }: FoldRange, summary: string): Promise<void> {
    return this.record({ type: "compaction", from, to, summary });
  }

  /** Settles when the record is in the file; memory has it at once. */
  record(record: SessionRecord): Promise<void> {
    apply(this.#replay, record);
    return this.#append.append(record);
  }

  sync(): Promise<void> {
    return this.#append.sync();
  }

  /** A transcript in which nothing was said is not kept. */
  async close(): Promise<void> {
    await this.#append.close();
    if (isEmpty(this.#replay)) await rm(this.file, { force: true });
  }
}

export async function createTranscript(file: string, head: Omit<SessionHead, "type" | "version">): Promise<Transcript> {
  const transcript = new Transcript(file, emptyReplay(), await openAppend(file));
  await transcript.record({ type: "session", version: SESSION_VERSION, ...head });
  return transcript;
}

/** Opens a session file, whole up to its last whole line, and closes what an interrupted turn left open. */
export async function openTranscript(file: string): Promise<OpenedTranscript> {
  const replay = emptyReplay();
  let unknown = 0;
  const report = await readRecords(file, (value) => {
    const record = decodeRecord(value);
    if (record === null) unknown++;
    else apply(replay, record);
  });
  if (replay.head === null) {
    throw new Error(`${file} is no session: its first line does not say so. Choose another one with --resume.`);
  }
  if (replay.head.version > SESSION_VERSION) {
    throw new Error(`${file} was written by a newer version (format ${replay.head.version}); update to open it.`);
  }
  const transcript = new Transcript(file, replay, await openAppend(file));
  const repairs: string[] = [];
  if (report.droppedBytes > 0) repairs.push(`A torn last line of ${report.droppedBytes} bytes was removed.`);
  const skipped = unknown + report.faults.length;
  if (skipped > 0) repairs.push(`${skipped} lines of the session file were not understood and left out.`);
  const open = openCallResults(replay.messages);
  for (const result of open) await transcript.append(result);
  const turnId = replay.openTurn;
  if (turnId !== null) {
    await transcript.record({ type: "turn", turnId, state: "interrupted", at: Date.now() });
    const calls = open.length === 0 ? "" : `, and ${open.length} of its tool calls had no result`;
    repairs.push(`The last turn was interrupted${calls}; the model is told.`);
  }
  return { transcript, repairs };
}
