/** Turns the bytes of a JSON file that others wrote into a value, or says exactly where and why not. */
import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { below } from "@reasonix-ts/protocol";

export type JsonFile =
  | { readonly ok: true; readonly value: unknown; readonly text: string }
  | { readonly ok: false; readonly faults: readonly JsonFault[] };

/** `path` is a JSON pointer; line and column count from 1 and are 0 where a fault concerns the whole file. */
export interface JsonFault {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly received: string;
  readonly wanted: string;
}

/** Larger files are not read: a manifest is written by hand. */
export const JSON_FILE_BYTES = 1_048_576;

const WANTED_TEXT = "JSON as UTF-8";

/** One UTF-8 byte order mark is accepted; comments, trailing commas and duplicate members are faults. */
export function readJsonText(bytes: Uint8Array): JsonFile {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { ok: false, faults: [wholeFile(decoded.received, decoded.wanted)] };
  const { text } = decoded;
  try {
    const errors: ParseError[] = [];
    const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    if (tree === undefined || errors.length > 0) return { ok: false, faults: syntaxFaults(text, errors) };
    const duplicates = duplicateMembers(tree, "", text);
    if (duplicates.length > 0) return { ok: false, faults: duplicates };
    // JSON.parse, because it gives a member named __proto__ the same plain place as any other.
    return { ok: true, value: JSON.parse(text), text };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, faults: [wholeFile("JSON nested too deeply", "flat JSON")] };
    if (error instanceof SyntaxError) return { ok: false, faults: [wholeFile("text that is no JSON", WANTED_TEXT)] };
    throw error;
  }
}

export type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly received: string; readonly wanted: string };

/** UTF-8 with at most one byte order mark, which is taken off. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = "UTF-16 text";
  const wanted = "UTF-8: save the file as UTF-8";
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { ok: false, received: utf16, wanted };
  }
  if (bytes.length >= 2 && (bytes[0] === 0) !== (bytes[1] === 0)) return { ok: false, received: utf16, wanted };
  let body = bytes;
  if (startsWithMark(body)) body = body.subarray(3);
  if (startsWithMark(body)) {
    return { ok: false, received: "two byte order marks", wanted: "at most one: save the file as UTF-8 without BOM" };
  }
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { ok: false, received: "bytes that are not valid UTF-8", wanted };
  }
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function wholeFile(received: string, wanted: string): JsonFault {
  return { path: "", line: 0, column: 0, received, wanted };
}

function syntaxFaults(text: string, errors: readonly ParseError[]): readonly JsonFault[] {
  if (text.trim() === "") return [wholeFile("an empty file", "a JSON object")];
  // One slip makes the parser stumble on: the first few places are the ones that matter.
  const places = errors.filter((error, index) => errors.findIndex(({ offset }) => offset === error.offset) === index);
  return places.slice(0, 3).map((error) => {
    const code = printParseErrorCode(error.error);
    return {
      path: "",
      ...lineAndColumn(text, error.offset),
      received: SYNTAX[code]?.received ?? JSON.stringify(text.slice(error.offset, error.offset + 24)),
      wanted: SYNTAX[code]?.wanted ?? "JSON",
    };
  });
}

const SYNTAX: Readonly<Record<string, { readonly received: string; readonly wanted: string }>> = {
  InvalidCommentToken: { received: "a comment", wanted: "JSON without comments" },
  UnexpectedEndOfComment: { received: "an unfinished comment", wanted: "JSON without comments" },
  UnexpectedEndOfString: { received: "an unfinished string", wanted: "a closing quote" },
  CommaExpected: { received: "no comma", wanted: "a comma between two entries" },
  ColonExpected: { received: "no colon", wanted: "a colon after the member's name" },
  PropertyNameExpected: {
    received: "no member name",
    wanted: "a name in double quotes (no comma before a closing brace)",
  },
  ValueExpected: { received: "no value", wanted: "a value (no comma before a closing bracket)" },
  CloseBraceExpected: { received: "the end of the file", wanted: "a closing brace" },
  CloseBracketExpected: { received: "the end of the file", wanted: "a closing bracket" },
  EndOfFileExpected: { received: "more text after the end of the value", wanted: "the end of the file" },
};

function duplicateMembers(node: Node, path: string, text: string): readonly JsonFault[] {
  const faults: JsonFault[] = [];
  if (node.type === "array") {
    for (const [index, item] of (node.children ?? []).entries()) {
      faults.push(...duplicateMembers(item, `${path}/${index}`, text));
    }
  } else if (node.type === "object") {
    const seen = new Set<unknown>();
    for (const property of node.children ?? []) {
      const [key, value] = property.children ?? [];
      if (key === undefined) continue;
      const here = below(path, String(key.value));
      if (seen.has(key.value)) {
        const at = lineAndColumn(text, key.offset);
        faults.push({ path: here, ...at, received: "the member a second time", wanted: "each member once" });
      }
      seen.add(key.value);
      if (value !== undefined) faults.push(...duplicateMembers(value, here, text));
    }
  }
  return faults;
}

function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}
