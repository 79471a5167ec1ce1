/** Finds secrets by their own shape: vendor tokens, JSON web tokens, bearer values, URL credentials. */
import type { Span } from "./redact-spans.ts";

/**
 * Vendor prefixes with the characters and lengths that follow. A look-behind keeps each search at the start of a word,
 * which also keeps every pattern linear on long runs of its own characters.
 */
const TOKEN_SHAPES: readonly RegExp[] = [
  /(?<![A-Za-z0-9_])sk-(?=[A-Za-z0-9_-]{16}|[A-Za-z_-]{0,15}\d[A-Za-z0-9_-]{5})[A-Za-z0-9_-]+/g,
  /(?<![A-Za-z0-9_])(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{8,}/g,
  /(?<![A-Za-z0-9_])whsec_[A-Za-z0-9+/=]{16,}/g,
  /(?<![A-Za-z0-9_])gh[opsur]_[A-Za-z0-9]{16,}/g,
  /(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9_]{16,}/g,
  /(?<![A-Za-z0-9_])gl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9_])xox[a-z]-[A-Za-z0-9-]{10,}/g,
  /(?<![A-Za-z0-9_])xapp-[A-Za-z0-9-]{10,}/g,
  /(?<![A-Za-z0-9_])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  /(?<![A-Za-z0-9_])AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9_])ya29\.[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9_])(?:npm|hf|gsk)_[A-Za-z0-9]{20,}/g,
  /(?<![A-Za-z0-9_])xai-[A-Za-z0-9]{20,}/g,
  /(?<![A-Za-z0-9_])pypi-[A-Za-z0-9_-]{32,}/g,
  /(?<![A-Za-z0-9_])dop_v1_[a-f0-9]{32,}/g,
  /(?<![A-Za-z0-9_])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9_])AGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
];

/** `Bearer` and `Basic` are words too: what follows must hold a digit, an inner capital or padding, or be long. */
const SCHEME_VALUE =
  /(?<![A-Za-z0-9_])(?:[Bb]earer|BEARER|(?:[Bb]asic|BASIC)(?=[ \t]{1,4}[A-Za-z0-9+/]{11}))[ \t]{1,4}(?=[A-Za-z._~+/=-]{0,64}(?:\d|[a-z][A-Z]|=)|[A-Za-z._~+/-]{32})([A-Za-z0-9._~+/=-]{8,})/g;

const URL_USERINFO = /(?<=[A-Za-z0-9+.-]:\/\/)[^\s/?#"'<>`\\]{1,1024}(?=@)/g;

/** All secrets of these shapes, in no order. */
export function shapeSpans(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const shape of TOKEN_SHAPES) {
    for (const match of text.matchAll(shape)) {
      spans.push({ start: match.index, end: match.index + match[0].length, runsUntil: "delimiter" });
    }
  }
  for (const match of text.matchAll(SCHEME_VALUE)) {
    const end = match.index + match[0].length;
    spans.push({ start: end - (match[1]?.length ?? 0), end, runsUntil: "delimiter" });
  }
  for (const match of text.matchAll(URL_USERINFO)) spans.push(...userinfoSpan(match[0], match.index));
  return spans;
}

/** `user:password` loses its password; a lone user name stays unless it is long enough to be a token. */
function userinfoSpan(userinfo: string, at: number): readonly Span[] {
  const end = at + userinfo.length;
  const colon = userinfo.indexOf(":");
  const user = colon < 0 ? userinfo : userinfo.slice(0, colon);
  const userIsToken = user.length >= 16 && /\d/.test(user) && /[A-Za-z]/.test(user);
  if (userIsToken) return [{ start: at, end, runsUntil: "delimiter" }];
  if (colon < 0 || colon === userinfo.length - 1) return [];
  return [{ start: at + colon + 1, end, runsUntil: "delimiter" }];
}
