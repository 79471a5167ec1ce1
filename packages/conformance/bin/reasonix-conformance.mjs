#!/usr/bin/env node
// The committed launcher: a `bin` that points into an unbuilt dist/ would get no link from npm.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const main = new URL("../dist/main.js", import.meta.url);
if (existsSync(fileURLToPath(main))) {
  await import(main.href);
} else {
  process.stderr.write("reasonix-conformance: nothing is built yet. Run `npm run build` in the project's root.\n");
  process.exitCode = 2;
}
