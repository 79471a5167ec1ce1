/** One change of a payload's member as two short lines, around the place where it differs; pure. */
import type { MemberChange } from "@reasonix-ts/host";

/** What is kept and printed of a change: a side that was or is absent is left out. */
export interface ChangeLine {
  /** JSON pointer into the payload. */
  readonly member: string;
  /** JSON text, at most 4,096 characters. */
  readonly before?: string;
  readonly after?: string;
  /** One of the texts is longer than what is kept of it. */
  readonly cut?: boolean;
}

export function changeLine({ member, before, after, cut }: MemberChange): ChangeLine {
  return {
    member,
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
    ...(cut ? { cut } : {}),
  };
}

/** Characters that are shown of what both sides have in common, on either end. */
const CONTEXT = 24;
/** Characters of a side; more of a long one would hide the other. */
const SHOWN = 160;

export function changeLines({ member, before, after, cut }: ChangeLine): readonly string[] {
  const [old, now] = [readable(before), readable(after)];
  const { start, end } = common(old ?? "", now ?? "");
  const side = (mark: string, text: string | null): readonly string[] =>
    text === null ? [] : [`${mark} ${window(text, start, end)}`];
  return [`${member}${cut === true ? " (of its beginning)" : ""}`, ...side("-", old), ...side("+", now)];
}

/** A whole string is shown as it reads; a cut one and everything else as its JSON text. */
function readable(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    // Cut in its middle.
    return text;
  }
}

/** How many characters both have in common at the start and, of the rest, at the end. */
function common(left: string, right: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return { start, end };
}

function window(text: string, start: number, end: number): string {
  const from = Math.max(0, start - CONTEXT);
  const to = Math.min(text.length, Math.max(text.length - end + CONTEXT, from));
  const shown = text.slice(from, Math.min(to, from + SHOWN));
  return `${from > 0 ? "…" : ""}${shown}${from + shown.length < text.length ? "…" : ""}`;
}
