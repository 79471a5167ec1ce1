#!/usr/bin/env node
/**
 * Reloads a host a thousand times while its sidecars are asked, told and streamed from, and looks at what is left:
 * processes, handles, listeners, memory. Then kills a host without warning and looks at its sidecars; installs many
 * packages at once, and kills updates, fifty times each. `--reloads <n>` and `--rounds <n>` for other numbers, 0 for
 * none. Not part of the gate: it takes minutes.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: { reloads: { type: "string", default: "1000" }, rounds: { type: "string", default: "50" } },
});
const [reloads, rounds] = ["reloads", "rounds"].map((name) => {
  const wanted = Number(values[name]);
  if (Number.isSafeInteger(wanted) && wanted >= 0) return wanted;
  console.error(`soak: --${name} wants a whole number of at least 0, not ${values[name]}`);
  process.exit(2);
});
const build = [
  "sdk/typescript",
  "packages/text",
  "packages/protocol",
  "packages/process",
  "packages/rpc",
  "packages/host",
  "packages/reasonix",
];
if (spawnSync(process.execPath, [join(root, "scripts/build.mjs"), ...build], { stdio: "inherit" }).status !== 0)
  process.exit(1);

const { soakReloads } = await import("./soak/reloads.mjs");
const { soakKill } = await import("./soak/kill.mjs");
const { soakInstalls, soakKilledUpdates } = await import("./soak/packages.mjs");
const findings = [
  ...(reloads === 0 ? [] : [...(await soakReloads(reloads)), ...(await soakKill(5))]),
  ...(rounds === 0 ? [] : [...(await soakInstalls(rounds)), ...(await soakKilledUpdates(rounds))]),
];
for (const { what, found, wanted, good } of findings)
  console.log(`${good ? "good" : "BAD "} ${what}: ${found} (${wanted})`);
const bad = findings.filter(({ good }) => !good).length;
console.log(`soak: ${findings.length - bad} good, ${bad} bad`);
process.exit(bad === 0 ? 0 : 1);
