/** Text of an extension made fit for people: without control characters, without secrets (pure). */
import { oneLine, stripControls } from "@reasonix-ts/text";

export interface Cleaner {
  /** Of any length; newline and tab stay. */
  readonly text: (text: string) => string;
  /** On one line. */
  readonly line: (text: string) => string;
}

/** Secrets are looked for last, so that none hides behind characters that go. */
export function cleanerOf(redact: (text: string) => string): Cleaner {
  return { text: (text) => redact(stripControls(text)), line: (text) => redact(oneLine(text)) };
}

/** Whether an id can be shown as it is: it is given back by people and never changed. */
export function isPlainId(id: string): boolean {
  return id === oneLine(id);
}
