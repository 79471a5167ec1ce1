/** Finds secrets that a name announces: headers, `key=value`, `--flag value`, JSON members, `-p` of database tools. */
import type { Span } from "./redact-spans.ts";
import { judgeName } from "./secret-names.ts";

/** A name, then `=` or `:`; the name may be quoted, also with the backslash of JSON inside JSON. */
const NAME_AND_SEPARATOR =
  /(?<![A-Za-z0-9_.-])(-{0,2}[A-Za-z_][A-Za-z0-9_.-]{0,80})(\\{0,3}["'])?(?:\]?[ \t]{0,8}[:=](?![=>:/])|\?:)([ \t]{0,8})/g;
const FLAG_AND_SPACE = /(?<![A-Za-z0-9_-])--([A-Za-z][A-Za-z0-9-]{0,80})[ \t]{1,4}(?=[^\s-])/g;
const SHORT_PASSWORD_FLAG = /(?<![A-Za-z0-9_-])-p([ \t]{0,2})(?=[^\s-])/g;

const QUOTED = [
  [/\\{1,3}"/y, /\\{1,3}"|[\r\n]/g],
  [/"/y, /"|[\r\n]/g],
  [/'/y, /'|[\r\n]/g],
  [/`/y, /`|[\r\n]/g],
] as const;
const BARE = /[^\s"'`,;&<>|)}\]\\]+/y;
/** A header's value up to the end of its line, or to the quote of the command line or JSON around it. */
const HEADER_REST = /[^\r\n"'`]+/y;
const LIST_REST = /[^\r\n\]]+/y;
const SCHEME = /(?:bearer|basic|digest|token|negotiate|apikey|bot)[ \t]+/iy;

/** Stands where a value would, but gives nothing away. */
const NO_VALUE =
  /^(?:null|none|nil|undefined|true|false|yes|no|on|off|string|number|boolean|unknown|any|never|object|str|int|bool|bytes|buffer|uint8array|required|optional|missing|invalid|expired|empty|unset|redacted|x{3,}|\*+|\.{2,}|…|\[redacted\]?)[?!.]*$/i;
const REFERENCE =
  /^(?:\$\{?[\w.:-]+\}?|\$\(.*|%\w+%|<[\w .-]+>|\{\{.*|(?:process|os|import|self|this|config|options)\.[\w.]+|env\.\w+)$/;
/** A bare value that is code: a call, an index, a literal that opens here. */
const CODE = /^(?:[({[]|[A-Za-z_$][\w$.]*[([])/;

/** PWD is a password in a connection string and the working directory in an environment. */
const DIRECTORY = /^["']?(?:\/|~\/|[A-Za-z]:\\)/;

/** All secrets announced by a name, in the order of the text. */
export function pairSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  const scan = new RegExp(NAME_AND_SEPARATOR);
  for (let match = scan.exec(text); match !== null; match = scan.exec(text)) {
    const name = match[1] ?? "";
    const verdict = judgeName(name);
    if (verdict === "plain") continue;
    const at = match.index + match[0].length;
    const context: Context = {
      quotedName: match[2] !== undefined,
      flag: name.startsWith("-"),
      spaced: (match[3] ?? "") !== "" || /[ \t][:=]?$/.test(match[0].trimEnd().slice(0, -1)),
      startsLine: /(?:^|[\r\n])[ \t]*(?:- |export |set )?$/.test(
        text.slice(Math.max(0, match.index - 64), match.index),
      ),
    };
    if (/pwd$/i.test(name) && DIRECTORY.test(text.slice(at, at + 4))) continue;
    const span = verdict === "header" ? headerSpan(text, at, context) : valueSpan(text, at, context);
    if (span === null) continue;
    spans.push(span);
    scan.lastIndex = span.end;
  }
  for (const match of text.matchAll(FLAG_AND_SPACE)) {
    if (judgeName(match[1] ?? "") === "plain") continue;
    const span = bareOrQuoted(text, match.index + match[0].length);
    if (span !== null && !isProse(text.slice(span.start, span.end))) spans.push(span);
  }
  for (const match of text.matchAll(SHORT_PASSWORD_FLAG)) {
    const span = bareOrQuoted(text, match.index + match[0].length);
    if (span !== null && shortFlagHoldsPassword(text, match.index, span, match[1] !== "")) spans.push(span);
  }
  return spans;
}

interface Context {
  readonly quotedName: boolean;
  readonly flag: boolean;
  /** White space stands before or after the separator, as it does in prose and code. */
  readonly spaced: boolean;
  readonly startsLine: boolean;
}

function headerSpan(text: string, at: number, context: Context): Span | null {
  const opening = quotedSpan(text, at);
  const start = schemeEnd(text, opening?.start ?? at);
  if (opening !== null) return opening.end > start ? { start, end: opening.end, runsUntil: "line" } : null;
  HEADER_REST.lastIndex = start;
  if (text[start] === "[") return listSpan(text, start + 1);
  const beginning = HEADER_REST.exec(text.slice(0, start + JUDGED_CHARACTERS))?.[0].trimEnd() ?? "";
  if (beginning === "" || givesNothingAway(beginning) || CODE.test(beginning)) return null;
  // "Cookie: a notice about …" is prose: a header's value has no run of plain words.
  const unlikely = !beginning.includes("=") && !looksSecret(beginning) && /\s/.test(beginning);
  if (context.spaced && start === at && unlikely) return null;
  HEADER_REST.lastIndex = start;
  const rest = HEADER_REST.exec(text)?.[0].trimEnd() ?? "";
  return { start, end: start + rest.length, runsUntil: "line" };
}

/** Several values of one header, as programs print them: `'set-cookie': [ 'a=1', 'b=2' ]`. */
function listSpan(text: string, start: number): Span | null {
  LIST_REST.lastIndex = start;
  const inside = LIST_REST.exec(text)?.[0] ?? "";
  return inside.trim() === "" || /^\[?redacted$/.test(inside)
    ? null
    : { start, end: start + inside.length, runsUntil: "line" };
}

/** Whether a header's value is prose is told by its beginning, so that a long line is not read once for each header in it. */
const JUDGED_CHARACTERS = 256;

function schemeEnd(text: string, at: number): number {
  SCHEME.lastIndex = at;
  return at + (SCHEME.exec(text)?.[0].length ?? 0);
}

function valueSpan(text: string, at: number, context: Context): Span | null {
  const quoted = quotedSpan(text, at);
  if (quoted !== null) return givesNothingAway(text.slice(quoted.start, quoted.end)) ? null : quoted;
  const start = schemeEnd(text, at);
  BARE.lastIndex = start;
  const value = BARE.exec(text)?.[0];
  if (value === undefined || givesNothingAway(value)) return null;
  const end = start + value.length;
  const span: Span = { start, end, runsUntil: "delimiter" };
  const after = text.slice(end, end + 2);
  if (CODE.test(value) || after.startsWith("(") || after.startsWith("[")) return null;
  if (!context.spaced || context.quotedName || context.flag) return span;
  const fillsLine = context.startsLine && /^(?:[\r\n]|$)/.test(after);
  return fillsLine || looksSecret(value) ? span : null;
}

function bareOrQuoted(text: string, at: number): Span | null {
  const quoted = quotedSpan(text, at);
  if (quoted !== null) return quoted;
  BARE.lastIndex = at;
  const value = BARE.exec(text)?.[0];
  if (value === undefined || givesNothingAway(value)) return null;
  return { start: at, end: at + value.length, runsUntil: "delimiter" };
}

/** The inside of a quoted value; one that is never closed ends with its line. */
function quotedSpan(text: string, at: number): Span | null {
  for (const [open, close] of QUOTED) {
    open.lastIndex = at;
    const opening = open.exec(text);
    if (opening === null) continue;
    const start = at + opening[0].length;
    const ending = new RegExp(close);
    ending.lastIndex = start;
    let end = ending.exec(text)?.index ?? text.length;
    // A backslash before a plain quote escapes it, so the value goes on.
    while (opening[0] === '"' && text[end] === '"' && isEscaped(text, end))
      end = ending.exec(text)?.index ?? text.length;
    return end > start ? { start, end, runsUntil: "line" } : null;
  }
  return null;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function givesNothingAway(value: string): boolean {
  return NO_VALUE.test(value) || REFERENCE.test(value);
}

/** A value of mixed characters, or a long one: words of a sentence and names in code are neither. */
function looksSecret(value: string): boolean {
  if (value.length < 6) return false;
  if (/^[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$][A-Za-z_$]*)*[.?!]?$/.test(value)) return value.length >= 40;
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}

const SENTENCE_WORDS = new Set(
  (
    "a an and are argument as at be before by can cannot flag for from has if in instead is it may must needs not of on option or " +
    "parameter requires should so that the then to too twice value was which will with without you"
  ).split(" "),
);

function isProse(value: string): boolean {
  return SENTENCE_WORDS.has(value.toLowerCase().replace(/[.?!]$/, ""));
}

const PASSWORD_TOOLS =
  /\b(?:mysql\w*|mariadb\w*|sshpass|mongo\w*|docker login|podman login|helm registry login|7z)\b[^\r\n]*$/;

function shortFlagHoldsPassword(text: string, flagAt: number, span: Span, spaced: boolean): boolean {
  const value = text.slice(span.start, span.end);
  if (/^\d+(?::\d+)*$/.test(value) && spaced) return false;
  if (PASSWORD_TOOLS.test(text.slice(Math.max(0, flagAt - 256), flagAt))) return true;
  return !spaced && /[A-Za-z]/.test(value) && /\d/.test(value) && value.length >= 6;
}
