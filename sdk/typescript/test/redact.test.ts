/** What the redactor takes out of error texts, and what it leaves. */
import { expect, test } from "vitest";
import { createRedactor, secretsOf } from "../src/redact.ts";

const redact = createRedactor([]);

const SECRET: readonly (readonly [text: string, clean: string])[] = [
  ["key sk-fixture1234567890 was refused", "key [redacted] was refused"],
  ["ghp_abcdefghijklmnop1234 and glpat-abcdefghijkl1234", "[redacted] and [redacted]"],
  ["xoxb-1234567890-abc", "[redacted]"],
  ["AKIAABCDEFGHIJKLMNOP", "[redacted]"],
  ["jwt eyJhbGciOiJI.eyJzdWIiOiIx.abc_def", "jwt [redacted]"],
  ["Authorization: Bearer abcd1234efgh", "Authorization: Bearer [redacted]"],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic [redacted]"}'],
  ["x-api-key: 1234567890", "x-api-key: [redacted]"],
  ["API_KEY=1234567890 next", "API_KEY=[redacted] next"],
  ["DEEPSEEK_API_KEY: abcdef", "DEEPSEEK_API_KEY: [redacted]"],
  ["--token=abc123 --verbose", "--token=[redacted] --verbose"],
  ["?access_token=abc123&page=2", "?access_token=[redacted]&page=2"],
  ["https://user:pass@host.test/x", "https://[redacted]@host.test/x"],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[redacted]"],
];

test.each(SECRET)("[P10] %j", (text, clean) => {
  expect(redact(text)).toBe(clean);
});

test.each([
  "the model answered 429: too many tokens (limit 8192)",
  "maxTokens must be at least 1",
  "no secret here",
  "https://host.test/a@b",
  "risk-averse and task-oriented",
  "token",
])("[P10] leaves %j alone", (text) => {
  expect(redact(text)).toBe(text);
});

test("[P10] values of the environment that are secret by name are taken out wherever they stand, the longest first", () => {
  const secrets = secretsOf({
    ACME_API_KEY: "correct-horse",
    ACME_TOKEN: "correct-horse-battery",
    HOME: "/home/someone",
    SHORT_SECRET: "abc",
    KEYBOARD: "qwertyuiop",
    EMPTY_TOKEN: undefined,
  });
  expect(secrets).toEqual(["correct-horse", "correct-horse-battery", "abc"]);
  expect(createRedactor(secrets)("correct-horse-battery, correct-horse, abc, /home/someone")).toBe(
    "[redacted], [redacted], abc, /home/someone",
  );
});

test("[P10] a long text is read in linear time", () => {
  for (const piece of ["eyJaaaaaaaa-", "a-", "authorization", "-----BEGIN ", "https://"]) {
    const started = performance.now();
    redact(piece.repeat(100_000));
    // A few milliseconds; a quadratic pattern would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  }
});
