/** Takes credentials out of error texts before they leave the process. The host does it again, with more rules. */

const MARK = "[redacted]";

/** Shapes that are secret wherever they stand; a group named `keep` stays. */
const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<keep>\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"'<>]{1,400}(?=@)/gi,
  /(?<keep>\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token)\s+)?)[^\s"',;]{4,}/gi,
  /(?<keep>\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  /(?<keep>\b(?:x-)?(?:[a-z0-9]+[_-]){0,4}(?:api[_-]?key|access[_-]?key|token|secret|password|passwd|pwd|cookie|credential)s?["']?\s*[:=]\s*["']?)(?!\[redacted\])[^\s"',;&]{3,}/gi,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{8,}/g,
  /\b(?:gh[opsur]|github_pat|glpat|hf|gsk|xai|npm|dop_v1|shpat|figd)[-_][A-Za-z0-9_-]{12,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{8,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,400}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
];

const SECRET_NAME = /(?:^|_)(?:api_?key|key|token|secret|password|passwd|credentials?|auth)(?:_|$)/i;
/** Shorter values stand in too many innocent words. */
const SHORTEST_SECRET = 8;

/** A redactor that also knows these literal values. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  // The longest first: one secret may hold another.
  const literals = secrets.filter((value) => value.length >= SHORTEST_SECRET).toSorted((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const literal of literals) clean = clean.replaceAll(literal, MARK);
    for (const shape of SHAPES) clean = clean.replace(shape, (...match) => `${kept(match)}${MARK}`);
    return clean;
  };
}

/** The values of an environment whose names say that they are secret. */
export function secretsOf(environment: { readonly [name: string]: string | undefined }): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) ? [value] : [],
  );
}

/** The last argument of a replacer is the object of named groups, where the pattern has some. */
function kept(match: readonly unknown[]): string {
  const groups = match.at(-1);
  if (typeof groups !== "object" || groups === null || !("keep" in groups)) return "";
  return typeof groups.keep === "string" ? groups.keep : "";
}
