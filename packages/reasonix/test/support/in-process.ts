/** The command run inside this process, with captured streams: for all that is not about the process itself. */
import { PassThrough, Writable } from "node:stream";
import { main } from "../../src/cli.ts";
import type { Environment } from "../../src/world.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `input` is all that can be read; nothing when absent. */
export async function runInProcess(
  argv: readonly string[],
  { env, cwd, input = "" }: { readonly env: Environment; readonly cwd: string; readonly input?: string },
): Promise<Ran> {
  const stdin = new PassThrough();
  stdin.end(input);
  const [stdout, stderr] = [new Heard(), new Heard()];
  const code = await main(argv, { env, cwd, stdin, stdout, stderr, version: "0.0.0" });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Heard extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString("utf8");
    done();
  }
}
