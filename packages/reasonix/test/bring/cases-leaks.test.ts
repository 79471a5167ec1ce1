/** A key that the host holds in its environment: sidecars inherit it, and whatever they say of it, people never read it. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

/** Of no shape that tells it: only its name in the environment does. */
const KEY = "plain-looking-value-4711";
const RUNTIME = {
  intercepts: ["input.receive"],
  capabilities: ["interceptors", "ui", "providers"],
  required: true,
};

async function leakyHome(): Promise<Home> {
  const home = await openHome({ DEEPSEEK_API_KEY: KEY });
  await home.plugin("leaky", "leaky.mjs", RUNTIME);
  return home;
}

/** THE table of roads to people, with a word that shows that the text itself came through. */
const ROADS: readonly (readonly [name: string, argv: readonly string[], shown: string])[] = [
  ["surfaces", ["run", "show"], "postgres://user:"],
  ["surfaces as events", ["run", "--output-format", "stream-json", "show"], "postgres://user:"],
  ["a reason", ["run", "block"], "turn blocked"],
  ["a reason as JSON", ["run", "--output-format", "json", "block"], "postgres://user:"],
  ["an error reply", ["run", "error"], "postgres://user:"],
  ["an answer that is none", ["run", "illegal"], "/decision"],
  ["its death", ["run", "die"], "exit code 3"],
  ["an action's answer", ["run", "/leaky:tell"], "postgres://user:"],
  ["a stream's error", ["run", "--model", "plugin/leaky/lab/one", "hi"], "postgres://user:"],
  ["models", ["models"], "plugin/leaky/lab/one"],
  ["extensions", ["extensions"], "leaky"],
  ["doctor runtime", ["doctor", "runtime", "--json"], "leaky"],
  ["a live trial", ["plugin", "doctor", "--live"], "leaky"],
];

it("[X3] [X4] [P6] [case X-01] the value of a key in the host's environment comes out on no road, and in no file", async () => {
  const home = await leakyHome();
  for (const [name, argv, shown] of ROADS) {
    const { stdout, stderr } = await home.reasonix(argv);
    expect([name, stdout + stderr]).toEqual([name, expect.stringContaining(shown)]);
    expect([name, (stdout + stderr).includes(KEY)]).toEqual([name, false]);
  }
  const entries = await readdir(home.home, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
  expect(files.some((file) => file.endsWith(".jsonl"))).toBe(true);
  for (const file of files) expect([file, (await readFile(file, "utf8")).includes(KEY)]).toEqual([file, false]);
});
