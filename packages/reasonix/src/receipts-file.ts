/** `<session>.receipts.json`: who ruled in the last turn of a session, kept for `reasonix extensions`. */
import { readJsonFile, writeJsonFile } from "@reasonix-ts/files";
import type { Receipt } from "@reasonix-ts/host";
import {
  boolean,
  decodeTolerant,
  integer,
  list,
  nonEmpty,
  number,
  object,
  optional,
  string,
} from "@reasonix-ts/protocol";
import { changeLine, type ChangeLine } from "./extensions/change-lines.ts";

const StoredChange = object({
  member: string,
  before: optional(string),
  after: optional(string),
  cut: optional(boolean),
});
const StoredReceipt = object({
  point: nonEmpty,
  plugin: nonEmpty,
  slot: optional(string),
  outcome: nonEmpty,
  changed: list(string),
  changes: optional(list(StoredChange)),
  millis: number(),
  callId: optional(string),
  agent: optional(string),
});
const Stored = object({ version: integer({ min: 1 }), receipts: list(StoredReceipt) });

/** A receipt as it is kept and printed. `millis` is from the call to its answer; `changed` holds JSON pointers. */
export interface ReceiptLine {
  readonly point: string;
  readonly plugin: string;
  /** The slot when its owner was asked. */
  readonly slot?: string;
  /** What was answered, or what failed. */
  readonly outcome: string;
  readonly changed: readonly string[];
  /** What they were and are, after a replacement; redacted. */
  readonly changes?: readonly ChangeLine[];
  readonly millis: number;
  readonly callId?: string;
  readonly agent?: string;
}

export function receiptLine(receipt: Receipt): ReceiptLine {
  const { point, plugin, slot, outcome, changed, changes, millis, callId, agent } = receipt;
  return {
    point,
    plugin,
    ...(slot === null ? {} : { slot }),
    outcome,
    changed,
    ...(changes === undefined ? {} : { changes: changes.map(changeLine) }),
    // Microseconds: what a clock tells beyond them is noise.
    millis: Math.round(millis * 1_000) / 1_000,
    ...(callId === undefined ? {} : { callId }),
    ...(agent === undefined ? {} : { agent }),
  };
}

function receiptsFile(sessionFile: string): string {
  return sessionFile.replace(/\.jsonl$/, ".receipts.json");
}

export async function writeReceipts(sessionFile: string, receipts: readonly ReceiptLine[]): Promise<void> {
  await writeJsonFile(receiptsFile(sessionFile), { version: 1, receipts }, { mode: 0o600 });
}

/** Empty where no turn with extensions was had, or where the file is of another making: it is told, never needed. */
export async function readReceipts(sessionFile: string): Promise<readonly ReceiptLine[]> {
  const read = await readJsonFile(receiptsFile(sessionFile));
  if (read.state !== "valid") return [];
  const decoded = decodeTolerant(Stored, read.value);
  return decoded.ok ? decoded.value.receipts : [];
}
