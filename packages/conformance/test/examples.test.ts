/** The referee over the examples as they are built, and over sidecars that were written by hand. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHECKS } from "../src/checks/all.ts";
import type { Check } from "../src/checks/check.ts";
import { judge } from "../src/referee.ts";
import { findSubject } from "../src/subject-files.ts";
import { complaints } from "./support/judging.ts";
import { startModelServer, type ModelServer } from "./support/model-server.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));
const FIXTURES = fileURLToPath(new URL("./fixtures", import.meta.url));

const sidecars = readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, "dist/sidecar.cjs")));

/** What differs from one sidecar of the SDK to the next; framing does not. */
const OWN =
  /^(handshake\.(declaration|within-manifest)|intercept|content\.(pages|hash)|provider\.(stream|catalog)|tool|ui|shutdown\.polite)/;
const ownChecks = CHECKS.filter(({ id }) => OWN.test(id));

/** Some fifty processes one after another; seconds on an idle machine. */
const PATIENCE = 120_000;

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

describe.concurrent("a sidecar made with the SDK", () => {
  test(
    "[G1] [T1] [T3] [T4] [T5] [L4] [L5] [C2] [C4] the starter passes every check",
    { timeout: PATIENCE },
    async () => {
      expect(await judgeManifest(join(EXAMPLES, "starter"), CHECKS)).toEqual([]);
    },
  );

  test.each(sidecars)("[G1] [L3] [I7] [C2] [P3] %s does at its points what the contract wants", async (name) => {
    expect(await judgeManifest(join(EXAMPLES, name), ownChecks)).toEqual([]);
  });
});

describe.concurrent("a sidecar written by hand", () => {
  test(
    "[T1] [T3] [T4] [T5] [L3] [L4] [L5] [I7] [C2] [P3] one in Python passes every check",
    { timeout: PATIENCE },
    async () => {
      expect(await judgeManifest(join(FIXTURES, "python-notes"), CHECKS)).toEqual([]);
    },
  );

  test("[L3] [I7] [I8] one in Node does at its points what the contract wants", { timeout: PATIENCE }, async () => {
    expect(await judgeManifest(join(FIXTURES, "node-guard"), ownChecks)).toEqual([]);
  });
});

test("the starter, the guard and the watcher are among the examples", () => {
  expect(sidecars).toEqual(expect.arrayContaining(["starter", "guard", "watcher"]));
});

async function judgeManifest(folder: string, checks: readonly Check[]): Promise<readonly string[]> {
  const { program, expectation } = findSubject([], join(folder, "reasonix-plugin.json"), process.cwd());
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], LOCAL_MODEL_URL: server.url };
  const { verdicts } = await judge({ program, environment, expectation, checks, timeout: null });
  return complaints(verdicts);
}
