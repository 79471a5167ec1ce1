/** The floor: bare children that get and give lines, with JSON.parse, JSON.stringify and nothing else between. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { CHILD, type ChildOptions } from "./child.ts";

export interface Floor {
  /** One request; resolves with its result. `meta` is the frame's member beside the params. */
  call(method: string, params: object, meta?: object): Promise<unknown>;
  /** One line, as it is. */
  write(line: string): void;
  /** Hears each line that is no reply. */
  listen(hear: ((frame: unknown) => void) | null): void;
  stop(): Promise<void>;
}

/** This very program as a child. */
export function startFloor(options: ChildOptions, environment: NodeJS.ProcessEnv = {}): Floor {
  const program = process.argv[1] ?? "";
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...environment, [CHILD]: JSON.stringify(options) },
    stdio: "pipe",
    // In a group of its own, as every sidecar is: the kernel schedules groups against one another.
    detached: true,
  });
  const waiting = new Map<number, (result: unknown) => void>();
  let nextId = 1;
  let heard: ((frame: unknown) => void) | null = null;
  readLines(child, (line) => {
    const frame = JSON.parse(line) as { readonly id?: number; readonly method?: string; readonly result?: unknown };
    if (frame.method !== undefined) heard?.(frame);
    else {
      waiting.get(frame.id ?? 0)?.(frame.result);
      waiting.delete(frame.id ?? 0);
    }
  });
  return {
    call: (method, params, meta) =>
      new Promise((resolve) => {
        const id = nextId++;
        waiting.set(id, resolve);
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params, _meta: meta })}\n`);
      }),
    write: (line) => void child.stdin.write(line),
    listen: (hear) => {
      heard = hear;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.stdin.end();
      }),
  };
}

function readLines({ stdout }: ChildProcessWithoutNullStreams, take: (line: string) => void): void {
  let rest = "";
  stdout.setEncoding("utf8");
  stdout.on("data", (piece: string) => {
    let start = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", start)) {
      take(start === 0 ? rest + piece.slice(0, end) : piece.slice(start, end));
      if (start === 0) rest = "";
      start = end + 1;
    }
    rest += piece.slice(start);
  });
}
