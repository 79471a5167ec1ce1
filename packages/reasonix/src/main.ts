/** Where the command begins: answers `--version` without loading anything, and hands the rest to the command table. */
import { readFileSync } from "node:fs";

// Read and not imported: a bundler would load its helpers for an imported one, and this is all that `--version` needs.
const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { version }: { readonly version: string } = JSON.parse(manifest);
const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
  process.stdout.write(`${version}\n`);
} else {
  const { main } = await import("./cli.ts");
  process.exitCode = await main(argv, {
    env: process.env,
    cwd: workingDirectory(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    version,
  });
}

/** The folder's name also when it was removed under the shell: absolute paths work on, and the rest can name it. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}
