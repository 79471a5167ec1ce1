/** Which names say that their value is a secret. */

const SECRET_WORDS = new Set([
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "apikey",
  "credential",
  "authorization",
  "cookie",
]);

/** `key` alone is an everyday word; after one of these it names a secret. */
const KEY_KINDS = new Set([
  "api",
  "access",
  "private",
  "secret",
  "auth",
  "signing",
  "encryption",
  "account",
  "license",
]);

/** Last words that turn the name into one of something about the secret: `token_count`, `password_file`. */
const ABOUT_WORDS = new Set(
  (
    "age algorithm budget chars class count counts created date dir directory endpoint enabled env exists expiry expires field file files " +
    "format header hint id index is kind length limit max min missing mode name names path policy present prompt provider " +
    "ref regex required reset rotation rule rules size source status strength time ttl type types uri url usage valid version window"
  ).split(" "),
);

/** What a name says about its value: nothing, or a secret, with one that fills its line in a header. */
export type NameVerdict = "plain" | "secret" | "header";

/** A secret is named near the end: `rfc-west-cookie-priority-00-4` is no cookie. */
const TELLING_WORDS = 3;

const WHOLE_LINE_HEADERS = new Set(["authorization", "proxy authorization", "cookie", "set cookie"]);

/** Judges a name in any spelling: `apiKey`, `API_KEY`, `x-api-key`, `db.password`. */
export function judgeName(name: string): NameVerdict {
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || (words.length > 1 && ABOUT_WORDS.has(last))) return "plain";
  if (WHOLE_LINE_HEADERS.has(words.join(" "))) return "header";
  const telling = words.slice(-TELLING_WORDS);
  for (const [i, word] of telling.entries()) {
    if (SECRET_WORDS.has(word) || SECRET_WORDS.has(word.replace(/\d+$/, ""))) return "secret";
    if (word.length > 8 && /(?:password|passwd|secret|token|apikey)$/.test(word)) return "secret";
    if (word === "key" && KEY_KINDS.has(telling[i - 1] ?? "")) return "secret";
  }
  return "plain";
}

const PLACE_WORDS = /(?:file|path|dir|url|uri|sock|socket|host|name|id)$/i;

/** An environment variable is judged by a wider rule than a name in running text: `SOME_KEY` counts. */
export function environmentNameIsSecret(name: string, value: string): boolean {
  if (!/(?:key|token|secret|password|passwd|passphrase|credential)s?(?:$|[^a-z])/i.test(name)) return false;
  const isPlace = /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:\\)/.test(value) || /^[a-z][a-z0-9+.-]*:\/\/[^@\s]*$/i.test(value);
  return !(isPlace && (PLACE_WORDS.test(name) || value.startsWith("/")));
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
