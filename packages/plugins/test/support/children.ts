/** Runs verbs of this package in processes of their own, so that they race and die for real. */
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));

/** Packs the verbs into one file that plain Node runs; into a folder that the caller removes. */
export async function buildVerbs(folder: string): Promise<string> {
  const outfile = path.join(folder, "verbs.mjs");
  await build({
    entryPoints: [path.join(here, "verbs.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    conditions: ["@reasonix-ts/source"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  return outfile;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

export interface Fault {
  /** The step below the home at which it happens, from 1. */
  readonly step: number;
  readonly kind: "kill" | "EBUSY";
  /** Which calls count as steps; all that change something when absent. */
  readonly calls?: readonly string[];
}

/** Ends when the child has ended; its whole output is kept for the message of a failure. */
export async function runVerb(verbs: string, args: readonly string[], fault?: Fault): Promise<Ended> {
  const preload = fault === undefined ? [] : ["--import", path.join(here, "faults.mjs")];
  const child = spawn(process.execPath, [...preload, verbs, ...args], {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: undefined,
      ...(fault === undefined
        ? {}
        : {
            FAULT_STEP: String(fault.step),
            FAULT_KIND: fault.kind,
            FAULT_BELOW: args[1],
            FAULT_CALLS: fault.calls?.join(","),
          }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (output += piece.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, output }));
  });
}
