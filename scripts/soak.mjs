#!/usr/bin/env node
/**
 * Reloads a host a thousand times while its sidecars are asked, told and streamed from, and looks at what is left:
 * processes, handles, listeners, memory. Then kills a host without warning and looks at its sidecars.
 * `--reloads <n>` for another number. Not part of the gate: it takes minutes.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({ options: { reloads: { type: "string", default: "1000" } } });
const reloads = Number(values.reloads);
if (!Number.isSafeInteger(reloads) || reloads < 1) {
  console.error(`soak: --reloads wants a whole number of at least 1, not ${values.reloads}`);
  process.exit(2);
}
const build = [
  "sdk/typescript",
  "packages/text",
  "packages/protocol",
  "packages/process",
  "packages/rpc",
  "packages/host",
];
if (spawnSync(process.execPath, [join(root, "scripts/build.mjs"), ...build], { stdio: "inherit" }).status !== 0)
  process.exit(1);

const { soakReloads } = await import("./soak/reloads.mjs");
const { soakKill } = await import("./soak/kill.mjs");
const findings = [...(await soakReloads(reloads)), ...(await soakKill(5))];
for (const { what, found, wanted, good } of findings)
  console.log(`${good ? "good" : "BAD "} ${what}: ${found} (${wanted})`);
const bad = findings.filter(({ good }) => !good).length;
console.log(`soak: ${findings.length - bad} good, ${bad} bad`);
process.exit(bad === 0 ? 0 : 1);
