/** What must go, and what must stay, row by row. */
import { describe, expect, test } from "vitest";
import { createRedactor, redactSecrets, secretValuesOf } from "../src/index.ts";

const HIDDEN: readonly (readonly [string, string])[] = [
  // headers
  ["Authorization: Bearer abc123def456", "Authorization: Bearer [redacted]"],
  ["authorization: Basic dXNlcjpwYXNz", "authorization: Basic [redacted]"],
  ["Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Authorization: Basic [redacted]"],
  [
    "curl -H 'Authorization: Bearer abc123def456' https://h.test/x",
    "curl -H 'Authorization: Bearer [redacted]' https://h.test/x",
  ],
  ['{"Authorization":"Bearer abc123def456","a":1}', '{"Authorization":"Bearer [redacted]","a":1}'],
  ["x-api-key: 0a1b2c", "x-api-key: [redacted]"],
  ["X-Auth-Token: abcdefgh", "X-Auth-Token: [redacted]"],
  ["Cookie: session=abc; theme=dark\nHost: h.test", "Cookie: [redacted]\nHost: h.test"],
  ["'set-cookie': [ 'id=1f; HttpOnly', 'b=2' ], x", "'set-cookie': [[redacted]], x"],
  ["Set-Cookie: id=1f; HttpOnly", "Set-Cookie: [redacted]"],
  [
    "> GET / HTTP/1.1\r\n> Authorization: Bearer q1w2e3r4t5\r\n>",
    "> GET / HTTP/1.1\r\n> Authorization: Bearer [redacted]\r\n>",
  ],
  // key=value, also in queries, exports and settings files
  ["password=hunter2 user=bob", "password=[redacted] user=bob"],
  ["DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted]"],
  ["export API_TOKEN=abc", "export API_TOKEN=[redacted]"],
  ["https://h.test/cb?access_token=abc&state=1", "https://h.test/cb?access_token=[redacted]&state=1"],
  ["client_secret = 'a b c'", "client_secret = '[redacted]'"],
  ["  password: correcthorse\n  user: bob", "  password: [redacted]\n  user: bob"],
  ["login failed, password: hunter2 is wrong", "login failed, password: [redacted] is wrong"],
  ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "aws_secret_access_key = [redacted]"],
  ["Server=db;Pwd=hunter2;Timeout=5", "Server=db;Pwd=[redacted];Timeout=5"],
  ["token=abc]", "token=[redacted]]"],
  ['password="p(a[s{s" x', 'password="[redacted]" x'],
  ["password='$ecret<1>'", "password='[redacted]'"],
  ["password=%x%y", "password=[redacted]"],
  // flags
  ["tool --token=abc run", "tool --token=[redacted] run"],
  ["tool --token abc run", "tool --token [redacted] run"],
  ["tool --api-key 'a b' run", "tool --api-key '[redacted]' run"],
  ["tool --password correct run", "tool --password [redacted] run"],
  ["mysql -uroot -phunter db", "mysql -uroot -p[redacted] db"],
  ["sshpass -p hunter ssh h", "sshpass -p [redacted] ssh h"],
  ["tool -phunter22", "tool -p[redacted]"],
  // JSON, also inside JSON
  ['{"apiKey":"abc def","n":1}', '{"apiKey":"[redacted]","n":1}'],
  ['{"api_key": "a\\"b", "n": 1}', '{"api_key": "[redacted]", "n": 1}'],
  ["{'secret': 'x y'}", "{'secret': '[redacted]'}"],
  ['"{\\"password\\":\\"x y\\",\\"n\\":1}"', '"{\\"password\\":\\"[redacted]\\",\\"n\\":1}"'],
  ['{"refreshToken":"abc"}', '{"refreshToken":"[redacted]"}'],
  ['{"password":123456}', '{"password":[redacted]}'],
  // URL credentials
  ["https://user:tok@host.test/p.git", "https://user:[redacted]@host.test/p.git"],
  ["https://4f9c1b2a8d7e6f5a4b3c@host.test/p.git", "https://[redacted]@host.test/p.git"],
  ["https://4f9c1b2a8d7e6f5a4b3c:x-oauth-basic@host.test/", "https://[redacted]@host.test/"],
  ["postgres://app:p%40ss@db.test:5432/app", "postgres://app:[redacted]@db.test:5432/app"],
  ["redis://:hunter2@cache.test", "redis://:[redacted]@cache.test"],
  ["a https://u:p@x@host.test b", "a https://u:[redacted]@host.test b"],
  // shapes
  ["key sk-fixture0123456789abcdef is bad", "key [redacted] is bad"],
  ["sk-fixture-secret-value", "[redacted]"],
  ["sk-proj-AbCdEf0123456789", "[redacted]"],
  ["sk_live_4eC39HqLyjWDarjt", "[redacted]"],
  ["ghp_0123456789abcdefABCDEF0123456789abcd", "[redacted]"],
  ["gho_0123456789abcdefABCDEF", "[redacted]"],
  ["github_pat_11ABCDEFG0abcdefghijkl_mnop", "[redacted]"],
  ["glpat-abcdefghij0123456789", "[redacted]"],
  ["xoxb-1234567890-abcdefghij", "[redacted]"],
  ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
  ["AIzaSyA0123456789abcdefghijklmnopqrstuvw", "[redacted]"],
  ["npm_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r", "[redacted]"],
  ["sent Bearer abcd1234efgh to it", "sent Bearer [redacted] to it"],
  [
    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nq83vAAAABBBB\n-----END RSA PRIVATE KEY-----\nb",
    "a\n[redacted]\nb",
  ],
  ["-----BEGIN PRIVATE KEY-----\\nMIIEowIBAAKCAQEA\\n-----END PRIVATE KEY-----", "[redacted]"],
  ["x\n-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA\nthe rest is prose", "x\n[redacted]\nthe rest is prose"],
  ["prose\nMIIEowIBAAKCAQEA\nq83vAAAABBBB\n-----END PRIVATE KEY-----\nend", "prose\n[redacted]\nend"],
];

const KEPT: readonly string[] = [
  "The password is wrong, and no token was sent; ask for a new secret.",
  "Use --token to pass a token: it is a secret: keep it.",
  "Pass --api-key or set API_KEY.",
  "SyntaxError: Unexpected token: } in JSON at position 4",
  "Unexpected token '}', \"{}}\" is not valid JSON",
  "Bearer authentication failed",
  "Basic understanding of internationalization",
  "Authorization: required",
  "PWD=/home/u/project OLDPWD: '/home/u' PWD=C:\\work",
  "var cookie = require('cookie-signature'); fetch(u, { credentials: 'include' })",
  "test for basic JavaScript types, Basic HTTP",
  "[rfc-west-cookie-priority-00-4.1]: https://tools.test/html/draft",
  "const token = getToken(); if (token === null) return;",
  "let password: string; const secret = options.secret;",
  "token => token.value; Token::Kind; token := next(); a.token == b.token",
  "function f(apiKey: string, password?: string): void {}",
  "max_tokens=4096 prompt_tokens: 120 tokenCount=7 token_type=bearer",
  '{"max_tokens":4096,"usage":{"promptTokens":12},"token_count":3}',
  "key=value; primary key: id; keyboard=us; monkey=1",
  'API_KEY=$API_KEY --token=${TOKEN} password="" secret=<secret>',
  "f(password=get_password(), token=tokens[0], secret=self.secret, api_key={})",
  "token=$(cat file) secret={{ vault.secret }} password=%PASSWORD%",
  'api_key_env = "DEEPSEEK_API_KEY"',
  "password_file=/run/secrets/db",
  "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "id 123e4567-e89b-12d3-a456-426614174000",
  "/home/u/.ssh/id_ed25519 /usr/lib/node_modules/@scope/pkg-name/dist/index.js",
  "git@github.com:owner/repo.git ssh://git@host.test/repo https://host.test:8080/a@b?c=d:e@f",
  "docker run -p 8080:80 -u 1000:1000 -pthread -path x",
  "find . -print -prune; gcc -pedantic -pipe",
  "scikit-learn task-manager-with-a-long-name risk-assessment-2024 disk-usage-report",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
  "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0B\n-----END PUBLIC KEY-----",
  "eyJhbGciOiJIUzI1NiJ9 alone is half a token",
  "读 — 🎉 naïve",
  "",
];

describe("[X3] secrets by shape and by name", () => {
  test.each(HIDDEN)("[case X-01] %j", (text, wanted) => {
    expect(redactSecrets(text)).toBe(wanted);
  });

  test.each(HIDDEN)("[X3] redacting twice changes nothing more: %j", (_text, wanted) => {
    expect(redactSecrets(wanted)).toBe(wanted);
  });

  test.each(KEPT.map((text) => [text]))("[case X-03] stays as it is: %j", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});

describe("[X3] values the host holds", () => {
  const redactor = createRedactor({
    literals: ["correct horse", "short", "p@ss/word+1", 'quo"te\nline'],
    environment: {
      DEEPSEEK_API_KEY: "plainlookingvalue",
      SOME_TOKEN: "seven77",
      HOME: "/home/somebody",
      SSH_KEY_PATH: "/home/somebody/.ssh/id",
    },
  });

  test.each([
    ["got correct horse back", "got [redacted] back"],
    ["plainlookingvalue!", "[redacted]!"],
    ["url?x=p%40ss%2Fword%2B1&y=1", "url?x=[redacted]&y=1"],
    ["p@ss/word+1", "[redacted]"],
    ['{"m":"quo\\"te\\nline"}', '{"m":"[redacted]"}'],
    ["too short to hide, seven77 as well", "too short to hide, seven77 as well"],
    ["/home/somebody/.ssh/id", "/home/somebody/.ssh/id"],
  ])("[case X-01] %j", (text, wanted) => {
    expect(redactor.redact(text)).toBe(wanted);
  });

  test("[X3] of the environment, names that say key, token, secret, password, from eight characters on", () => {
    const environment = {
      A_KEY: "12345678",
      B_TOKEN: "1234567",
      CLIENT_SECRET: "abcdefgh",
      db_password: "abcdefghi",
      APIKEY: "abcdefghij",
      KEYBOARD: "us-international",
      TOKENIZERS_PARALLELISM: "disabled",
      PASSWORD_FILE: "/run/secrets/password",
      TOKEN_URL: "https://login.test/token",
      EMPTY_KEY: undefined,
    };
    expect(secretValuesOf(environment)).toEqual(["12345678", "abcdefgh", "abcdefghi", "abcdefghij"]);
  });

  test("[X3] characters that mean something in a pattern are taken literally", () => {
    expect(createRedactor({ literals: ["a.c$(x)[1]*"] }).redact("abc$(x)[1]* a.c$(x)[1]*")).toBe(
      "abc$(x)[1]* [redacted]",
    );
  });
});

describe("[X3] hostile input takes linear time", () => {
  const REPEATED: readonly string[] = [
    "a",
    "a.",
    "-p",
    "--token ",
    "--token",
    "token=",
    "token: ",
    "token ",
    "password",
    '\\"token\\":\\"',
    '"token":"',
    '"token":"\\',
    "://",
    "https://a:b",
    "https://a:b@",
    "eyJabcdefghij",
    "eyJabcdefghij.",
    "sk-",
    "sk-a",
    "ghp_",
    "Bearer ",
    "bearer a",
    "Cookie: ",
    "Authorization: Bearer ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----END PRIVATE KEY-----\n",
    "QUJDREVGR0hJSktM\n",
    "mysql ",
    "mysql -p",
    "SG.abcdefghijklmnop.",
    "=",
    " ",
    "\n",
  ];
  const millis = (text: string): number => {
    const before = performance.now();
    redactSecrets(text);
    return performance.now() - before;
  };

  test.each(REPEATED.map((piece) => [piece]))("%j forty thousand characters long, and four times that", (piece) => {
    const small = piece.repeat(40_000 / piece.length);
    const large = piece.repeat(160_000 / piece.length);
    millis(small);
    // Quadratic time would show as a factor of 16; the floor keeps the noise of a busy machine out.
    expect(millis(large)).toBeLessThan(Math.max(10 * millis(small), 1_000));
  });
});
