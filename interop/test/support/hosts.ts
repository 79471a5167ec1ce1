/** The commands that a test drives: this project's, and the reference host's where its binary exists. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface HostCommand {
  readonly name: "ours" | "reference";
  /** An absolute path. On linux-x64 the reference's is named even when nobody installed it: its tests then fail. */
  readonly command: string;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

const ours: HostCommand = { name: "ours", command: join(root, "packages/reasonix/bin/reasonix.mjs") };

/** Null on platforms for which the reference host's package is not installed. */
export const reference: HostCommand | null =
  process.platform === "linux" && process.arch === "x64"
    ? { name: "reference", command: join(root, "node_modules/@reasonix/cli-linux-x64/bin/reasonix") }
    : null;

export const hosts: readonly HostCommand[] = reference === null ? [ours] : [ours, reference];

/** What `interop/package.json` asks for and what is installed; they must be the same version. */
export function referenceVersions(): { readonly wanted: unknown; readonly installed: unknown } {
  const require = createRequire(import.meta.url);
  const { optionalDependencies } = require("../../package.json");
  const { version } = require("@reasonix/cli-linux-x64/package.json");
  return { wanted: optionalDependencies["@reasonix/cli-linux-x64"], installed: version };
}
