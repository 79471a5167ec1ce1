/** Reads events that differ from an earlier one in a single text, without parsing them again. */
import { objectIn, parseJson, type Foreign } from "./foreign.ts";

/** An event that brings one piece of text and nothing else; `member` says of which kind, `index` of which block. */
export interface SoleText {
  readonly member: string;
  readonly index: number;
  readonly text: string;
}

export interface TextTemplate {
  /** What the event brings when it is the learned one but for its text; null means that it must be parsed. */
  match(data: string): SoleText | null;
  /** Remembers the bytes around the text of an event that was parsed. */
  learn(data: string, sole: SoleText): void;
}

/** Where every event differs in more than its text, learning is given up after so many events. */
const FUTILE = 8;

/**
 * Most events of a stream are equal but for one string. JSON around a string means the same whatever the string is,
 * so what stands between the same bytes and holds no quote, escape or control character is the text. A long answer
 * costs half as much for that.
 */
export function textTemplate(soleTextOf: (body: Foreign) => SoleText | null): TextTemplate {
  let known: { readonly prefix: string; readonly suffix: string; readonly sole: SoleText } | null = null;
  let misses = 0;
  return {
    match(data) {
      if (known === null) return null;
      const { prefix, suffix, sole } = known;
      const end = data.length - suffix.length;
      // An event whose text is empty brings something else, or nothing.
      if (end <= prefix.length) return null;
      // Comparing slices costs half of startsWith and endsWith.
      if (data.slice(0, prefix.length) !== prefix || data.slice(end) !== suffix) return null;
      for (let at = prefix.length; at < end; at++) {
        const unit = data.charCodeAt(at);
        if (unit === QUOTE || unit === BACKSLASH || unit < SPACE) return null;
      }
      misses = 0;
      return { member: sole.member, index: sole.index, text: data.slice(prefix.length, end) };
    },
    learn(data, sole) {
      if (misses >= FUTILE) return;
      misses++;
      const literal = JSON.stringify(sole.text);
      const at = data.indexOf(literal);
      if (at < 0) return;
      const prefix = data.slice(0, at + 1);
      const suffix = data.slice(at + literal.length - 1);
      // The same string may stand elsewhere too: another one in its place must come out as the text.
      const probe = sole.text === "a" ? "b" : "a";
      const body = objectIn(parseJson(prefix + probe + suffix));
      const read = body === null ? null : soleTextOf(body);
      if (read?.text === probe && read.member === sole.member) known = { prefix, suffix, sole };
    },
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
