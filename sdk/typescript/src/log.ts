/** One line to stderr: stdout is the protocol channel, so a sidecar logs here. */

/** Writes `message`, and an error's stack or another value's JSON after it. */
export type Log = (message: string, detail?: unknown) => void;

/** A log whose lines begin with the extension's name; `write` gets whole lines with their line feed. */
export function createLog(name: string, write: (line: string) => void): Log {
  return (message, detail) => {
    write(`[${name}] ${message}${detail === undefined ? "" : ` ${detailText(detail)}`}\n`);
  };
}

function detailText(detail: unknown): string {
  if (detail instanceof Error) return detail.stack ?? `${detail.name}: ${detail.message}`;
  if (typeof detail === "string") return detail;
  try {
    return JSON.stringify(detail) ?? String(detail);
  } catch {
    return String(detail);
  }
}

/** A message may hold a whole page that a server sent; so much of it is told, in characters. */
const TOLD = 4_096;

/** What to say of a thrown value, which need not be an Error. */
export function messageOf(error: unknown): string {
  const message = textOf(error);
  return message.length > TOLD ? `${message.slice(0, TOLD)}… (${message.length - TOLD} characters more)` : message;
}

function textOf(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  return typeof error === "string" ? error : `a thrown value that is no Error: ${detailText(error)}`;
}
