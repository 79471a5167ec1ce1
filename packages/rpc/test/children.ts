/** Real child programs for the tests, all ended when their test is over. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Readable, Writable } from "node:stream";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { connectStdio } from "../src/node/stdio.ts";
import type { Peer, PeerOptions } from "../src/index.ts";

export interface Child {
  readonly process: ChildProcessByStdio<Writable, Readable, null>;
  readonly peer: Peer;
  /** Resolves when the process has exited. */
  readonly exited: Promise<number | null>;
}

const rawProgram = fileURLToPath(new URL("fixtures/raw-child.mjs", import.meta.url));
const peerProgram = fileURLToPath(new URL("fixtures/peer-child.ts", import.meta.url));

export class Children {
  readonly #running = new Set<Child>();
  #folder: string | undefined;

  raw(mode: string, options?: PeerOptions, argument = ""): Child {
    return this.start(process.execPath, [rawProgram, mode, argument], options);
  }

  /** Our own peer on the other side. */
  peer(options?: PeerOptions): Child {
    return this.start(process.execPath, [this.#built()], options);
  }

  start(command: string, args: readonly string[], options?: PeerOptions): Child {
    const child = spawn(command, [...args], { stdio: ["pipe", "pipe", "inherit"] });
    const exited = new Promise<number | null>((resolve) => {
      child.once("exit", resolve);
    });
    const started: Child = {
      process: child,
      exited,
      peer: connectStdio({ input: child.stdout, output: child.stdin }, options),
    };
    this.#running.add(started);
    return started;
  }

  /** Ends what runs and removes what was built. */
  async end(): Promise<void> {
    for (const { process: child, peer } of this.#running) {
      peer.close();
      child.kill("SIGKILL");
    }
    await Promise.all([...this.#running].map(({ exited }) => exited));
    this.#running.clear();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  /** Node cannot run the fixture as it is, so it is bundled once. */
  #built(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), "rpc-test-"));
    const outfile = join(this.#folder, "peer-child.mjs");
    buildSync({
      entryPoints: [peerProgram],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    return outfile;
  }
}
