#!/usr/bin/env node
/** Shows the main job with real parts: an extension rewrites a turn, a guard refuses a command. No key, no network. */
import { spawn } from "node:child_process";
import { mkdtemp, rm, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const command = join(root, "packages/reasonix/bin/reasonix.mjs");
const scratch = await mkdtemp(join(tmpdir(), "reasonix-demo-"));
const home = join(scratch, "home");
const workspace = join(scratch, "workspace");

// `npm run demo | head` has seen enough.
process.stdout.on("error", () => process.exit());

try {
  await mkdir(workspace, { recursive: true });
  await show();
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function show() {
  heading("1  Look before you trust");
  say("What would an install do, and whom would you trust? This writes nothing.");
  print(await reasonix(["plugin", "install", example("starter"), "--link", "--dry-run"]));

  heading("2  Install it, and a watcher that sees every point of a turn");
  for (const name of ["starter", "watcher"]) {
    await reasonix(["plugin", "install", example(name), "--link", "--yes"]);
  }
  print(await reasonix(["plugin", "list"]));

  heading("3  A turn, rewritten on its way to the model");
  const typed = "starter: explain protocols";
  const turn = await run(typed);
  field("you typed", typed);
  field("starter made of it", turn.input.sent);
  // The offline model says back what it was sent: this is its own word for it.
  field("the model received", turn.text.replace(/^You said: /, ""));
  field("the model answered", turn.text);
  say("");
  say("The points that fired, in order, and what each ruling cost:");
  rulings(turn.rulings);

  heading("4  A guard refuses a dangerous command");
  await reasonix(["plugin", "install", example("guard"), "--link", "--yes"]);
  const order = 'TOOL bash {"command":"rm -rf build"}';
  const guarded = await run(order);
  field("the model wants", order);
  field("the guard says", guarded.tools[0]?.result ?? "nothing");
  field("the model answered", guarded.text);
  rulings(guarded.rulings.filter((ruling) => ruling.point.startsWith("tool.") || ruling.outcome !== "continue"));
  if (guarded.tools[0]?.isError !== true) throw new Error("the guard did not refuse the command");
  if (turn.input.sent !== "explain protocols [rewritten by starter-extension]") {
    throw new Error("the starter did not rewrite the input");
  }

  heading("What to try next");
  say("npx reasonix                                a conversation in the terminal");
  say("npx reasonix plugin install examples/starter --link --yes");
  say('npx reasonix run "starter: hello"           the same turn with your own home');
  say("npx reasonix setup                          a key for a real model");
  say("");
  say("An extension of your own (the SDK comes from this clone; npm's package reasonix is another program):");
  say('export CLONE="$PWD" PATH="$PWD/node_modules/.bin:$PATH"');
  say("cp -r examples/starter ../my-extension && cd ../my-extension");
  say('npm i -D "$CLONE/sdk/typescript" esbuild && npm run build');
  say("reasonix-conformance . && reasonix plugin install . --link --yes");
}

async function run(text) {
  return JSON.parse(await reasonix(["run", "--output-format", "json", "-C", workspace, text]));
}

/** Runs the real command in the throw-away home and gives its stdout; an unexpected exit fails the demo. */
function reasonix(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: root,
      env: { ...process.env, REASONIX_HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`reasonix ${args.join(" ")} ended with ${code}:\n${err || out}`));
    });
  });
}

function example(name) {
  return join("examples", name);
}

function heading(text) {
  console.log(`\n${paint("1", text)}`);
}

function say(text) {
  console.log(text === "" ? "" : `  ${text}`);
}

function field(name, value) {
  const [first = "", ...rest] = wrap(value, 54);
  console.log(`  ${paint("2", name.padEnd(20))}${first}`);
  for (const line of rest) console.log(`  ${" ".repeat(20)}${line}`);
}

/** One line a ruling; the many of frontend.event that only watched make one line together. */
function rulings(rows) {
  const shown = rows.filter((row) => row.point !== "frontend.event" || row.outcome !== "continue");
  const events = rows.filter((row) => !shown.includes(row));
  for (const row of shown) ruling(row);
  if (events.length > 0) {
    const millis = events.reduce((sum, row) => sum + row.millis, 0) / events.length;
    ruling({ ...events[0], outcome: `continue, ${events.length} times`, changed: [], millis });
  }
}

function ruling({ point, plugin, outcome, changed, millis }) {
  const what = changed.length === 0 ? outcome : `${outcome} ${changed.join(" ")}`;
  const cells = `${point.padEnd(20)} ${plugin.padEnd(18)} ${what.padEnd(20)} ${millis.toFixed(2).padStart(7)} ms`;
  console.log(`  ${outcome.startsWith("continue") ? cells : paint("1", cells)}`);
}

function print(text) {
  console.log(text.trimEnd());
}

function wrap(text, width) {
  return text
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}(?:\\s|$)|.{1,${width}}`, "g")) ?? [""])
    .map((line) => line.trimEnd());
}

function paint(code, text) {
  const plain = !process.stdout.isTTY || (process.env.NO_COLOR ?? "") !== "";
  return plain ? text : `\u001b[${code}m${text}\u001b[0m`;
}
