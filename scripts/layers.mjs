#!/usr/bin/env node
/** Checks the arrows between packages, the Node built-ins that each may touch, cycles, undeclared dependencies, the lock file. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findCycles } from "./layers/cycles.mjs";
import { judgeFile } from "./layers/judge.mjs";
import { judgeLock } from "./layers/lock.mjs";
import { scan } from "./layers/scan.mjs";
import { readWorkspace } from "./layers/workspace.mjs";

const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), ".."));
const { lines, files } = check(root);
for (const line of lines) console.error(line);
if (lines.length === 0) console.log(`layers: ${files} files keep to the arrows`);
else console.error(`layers: ${lines.length} ${lines.length === 1 ? "problem" : "problems"} in ${files} files`);
process.exitCode = lines.length === 0 ? 0 : 1;

function check(folder) {
  const workspace = readWorkspace(folder);
  const graph = new Map();
  const found = [];
  for (const one of workspace.packages) {
    for (const file of one.files) {
      const path = `${one.folder}/${file}`;
      const { edges, problems } = judgeFile({
        workspace,
        one,
        file,
        ...scan(path, readFileSync(join(folder, path), "utf8")),
      });
      graph.set(path, edges);
      found.push(...problems.map(({ line, text }) => `${path}:${line}: ${text}`));
    }
  }
  for (const ring of findCycles(graph)) found.push(`${ring[0]}: imports in a ring: ${ring.join(", ")}`);
  found.push(...judgeLock(workspace.packages, workspace.locked));
  return { lines: found, files: graph.size };
}
