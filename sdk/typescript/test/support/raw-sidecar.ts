/** A sidecar as a real process, spoken to in raw frames: no code of this package sits on the host's side. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export type Frame = { readonly [member: string]: unknown };

/** Bundles a fixture into `folder` the way that authors are told to; resolves with the file. */
export async function buildFixture(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.cjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url))],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    conditions: ["@reasonix-ts/source"],
    outfile: file,
  });
  return file;
}

export const HELLO: Frame = {
  protocolId: "reasonix.extension.v2",
  protocolVersion: "2",
  manifest: { intercepts: ["input.receive"] },
  session: { sessionId: "s1", workspaceRoot: "/workspace", generation: 1 },
  capabilities: { contentRefs: true, protocolVersion: "2", uiHost: "headless" },
};

export class RawSidecar {
  readonly process: ChildProcessWithoutNullStreams;
  /** Exit code and signal. */
  readonly ended: Promise<readonly unknown[]>;
  stderr = "";
  readonly frames: Frame[] = [];
  #rest = "";
  #id = 0;
  #heard: (() => void)[] = [];

  constructor(file: string, env: { readonly [name: string]: string } = {}) {
    this.process = spawn(process.execPath, [file], { stdio: "pipe", env: { ...process.env, ...env } });
    this.process.stdout.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    this.process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    this.process.stdin.on("error", () => {});
    this.ended = once(this.process, "close");
  }

  /** Writes a line as it is. */
  write(line: string | Uint8Array): void {
    this.process.stdin.write(line);
  }

  notify(method: string, params: Frame): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  /** Sends a request and resolves with its whole reply. */
  async request(method: string, params: Frame): Promise<Frame> {
    const id = this.send(method, params);
    return await this.reply(id);
  }

  send(method: string, params: Frame): number {
    this.#id += 1;
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params })}\n`);
    return this.#id;
  }

  reply(id: number): Promise<Frame> {
    return this.until(() => this.frames.find((frame) => frame["id"] === id && frame["method"] === undefined));
  }

  async start(): Promise<Frame> {
    const reply = await this.request("extension/initialize", HELLO);
    this.notify("extension/initialized", {});
    return reply;
  }

  input(text: string, timeoutMillis = 5_000): Promise<Frame> {
    return this.request("extension/intercept", { event: "input.receive", seq: 1, payload: { text }, timeoutMillis });
  }

  /** Resolves when `look` finds something in what was heard; rejects when the process ends before. */
  async until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const heard = new Promise<"heard">((resolve) => this.#heard.push(() => resolve("heard")));
      const outcome = await Promise.race([heard, this.ended]);
      if (outcome === "heard") continue;
      const last = look();
      if (last !== undefined) return last;
      throw new Error(`the sidecar ended with ${String(outcome)}; stderr: ${this.stderr}`);
    }
  }

  kill(): void {
    this.process.kill("SIGKILL");
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const frame: Frame = JSON.parse(line);
      this.frames.push(frame);
    }
    this.#wake();
  }

  #wake(): void {
    const heard = this.#heard;
    this.#heard = [];
    for (const wake of heard) wake();
  }
}
