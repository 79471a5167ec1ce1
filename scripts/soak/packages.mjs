/** Packages under stress, with the real command: many installers at once, and updates that are killed. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../packages/reasonix/bin/reasonix.mjs", import.meta.url));

/** Eight installers, two switches and four that race for one name, again and again: no entry may be lost. */
export async function soakInstalls(rounds) {
  console.log(`     ${rounds} rounds of fourteen changes at once`);
  const wrong = await inScratch(rounds, installsOnce);
  return [finding("rounds of fourteen changes at once that lost something", wrong, rounds)];
}

async function installsOnce(folder) {
  const home = join(folder, "home");
  const source = (name, mark = "") => writePackage(join(folder, `${name}${mark}`), name, mark);
  for (const name of ["off-1", "off-2"]) await mustRun(home, ["install", source(name), "--yes"]);
  const eight = Array.from({ length: 8 }, (_, at) => `p${at}`);
  const racers = ["a", "b", "c", "d"].map((mark) => source("same", mark));
  const [installed, switched, raced] = await Promise.all([
    all(eight.map((name) => run(home, ["install", source(name), "--yes"]))),
    all(["off-1", "off-2"].map((name) => run(home, ["disable", name]))),
    all(racers.map((racer) => run(home, ["install", racer, "--yes"]))),
  ]);
  const failed = [...installed, ...switched].filter(({ code }) => code !== 0);
  if (failed.length > 0) return `${failed.length} changes failed: ${failed[0].output}`;
  const winners = raced.filter(({ code }) => code === 0).length;
  if (winners !== 1) return `${winners} of four won the race for one name`;
  const listed = await names(home);
  const wanted = ["off-1 off", "off-2 off", ...eight.map((name) => `${name} on`), "same on"].join(", ");
  if (listed !== wanted) return `the list holds ${listed}`;
  return (await faults(home)) ?? wholeTree(home, "same");
}

/** Updates that are killed at a later moment each time: the old plugin or the new one is there, whole. */
export async function soakKilledUpdates(rounds) {
  console.log(`     ${rounds} updates that are killed`);
  const folder = mkdtempSync(join(tmpdir(), "reasonix-soak-"));
  const seen = { old: 0, new: 0 };
  const wrong = [];
  try {
    const home = join(folder, "home");
    const source = writePackage(join(folder, "source"), "updated", "0");
    await mustRun(home, ["install", source, "--yes"]);
    writePackage(source, "updated", "1");
    const started = performance.now();
    await mustRun(home, ["update", "updated", "--yes"]);
    const takes = performance.now() - started;
    let before = "1";
    for (let round = 1; round <= rounds; round++) {
      const after = String(round + 1);
      writePackage(source, "updated", after);
      await run(home, ["update", "updated", "--yes"], (SPREAD * takes * round) / rounds);
      const problem = (await leftBehind(home, [before, after])) ?? (await faults(home));
      if (problem !== null) {
        wrong.push(`round ${round}: ${problem}`);
        break;
      }
      const now = buildAt(home, "updated");
      seen[now === before ? "old" : "new"] += 1;
      before = now;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    finding("updates killed with SIGKILL that left a mix, or nothing", wrong, rounds),
    {
      what: "what killed updates left",
      found: `${seen.old} times the old plugin, ${seen.new} times the new one`,
      wanted: "the old one for most of the way",
      good: seen.old > 0,
    },
  ];
}

/** Null when a whole plugin is there, and the next change sweeps what the killed one left. */
async function leftBehind(home, builds) {
  const listed = await names(home);
  if (listed !== "updated on") return `the list holds ${listed}`;
  const build = buildAt(home, "updated");
  if (!builds.includes(build)) return `the tree holds ${build}, neither ${builds.join(" nor ")}`;
  const next = await run(home, ["enable", "updated"]);
  if (next.code !== 0) return `the next change failed: ${next.output}`;
  const left = readdirSync(join(home, "plugins"));
  return left.length === 1 ? null : `leftovers: ${left.join(", ")}`;
}

/** The last kills come when an update would be over. */
const SPREAD = 1.3;

const FILES = 40;

/** Every file tells the build, so that a mix shows. */
function writePackage(folder, name, build) {
  mkdirSync(folder, { recursive: true });
  const manifest = { apiVersion: "reasonix.io/plugin/v2", name, description: build };
  writeFileSync(join(folder, "reasonix-plugin.json"), JSON.stringify(manifest));
  for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `part-${file}.txt`), build);
  return folder;
}

function buildAt(home, name) {
  const root = join(home, "plugins", name);
  const { description } = JSON.parse(readFileSync(join(root, "reasonix-plugin.json"), "utf8"));
  const parts = Array.from({ length: FILES }, (_, file) => readFileSync(join(root, `part-${file}.txt`), "utf8"));
  return parts.every((part) => part === description) ? description : `a mix of ${[...new Set(parts)].join(", ")}`;
}

function wholeTree(home, name) {
  const build = buildAt(home, name);
  return build.startsWith("a mix") ? `${name} is ${build}` : null;
}

async function names(home) {
  const { plugins } = JSON.parse((await mustRun(home, ["list", "--json"])).output);
  return plugins.map(({ name, enabled }) => `${name} ${enabled ? "on" : "off"}`).join(", ");
}

/** What doctor finds beyond notes: a tree that differs from its digest, an entry that cannot be read. */
async function faults(home) {
  const { plugins, findings } = JSON.parse((await run(home, ["doctor", "--json"])).output);
  const bad = [...findings, ...plugins.flatMap((one) => one.findings)].filter(({ severity }) => severity !== "note");
  return bad.length === 0 ? null : bad.map(({ plugin, code, cause }) => `${plugin} ${code}: ${cause}`).join("; ");
}

async function inScratch(rounds, once) {
  const wrong = [];
  for (let round = 1; round <= rounds && wrong.length === 0; round++) {
    const folder = mkdtempSync(join(tmpdir(), "reasonix-soak-"));
    try {
      const problem = await once(folder);
      if (problem !== null) wrong.push(`round ${round}: ${problem}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    if (round % 10 === 0) console.log(`     ${round} rounds`);
  }
  return wrong;
}

const all = (promises) => Promise.all(promises);

async function mustRun(home, args) {
  const ended = await run(home, args);
  if (ended.code !== 0) throw new Error(`plugin ${args.join(" ")} ended with ${ended.code}: ${ended.output}`);
  return ended;
}

/** `{code, output}` of `reasonix plugin <args>`; killed without warning after `killAfter` milliseconds, where given. */
function run(home, args, killAfter = null) {
  const { NODE_EXTRA_CA_CERTS: _slowStart, ...env } = process.env;
  const child = spawn(process.execPath, [BIN, "plugin", ...args], {
    env: { ...env, REASONIX_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = killAfter === null ? null : setTimeout(() => child.kill("SIGKILL"), killAfter);
  let output = "";
  child.stdout.on("data", (piece) => (output += piece));
  child.stderr.on("data", (piece) => (output += piece));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}

function finding(what, wrong, rounds) {
  const found = wrong.length === 0 ? `none of ${rounds}` : wrong.join(" | ");
  return { what, found, wanted: "none", good: wrong.length === 0 };
}
