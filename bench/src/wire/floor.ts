/** The floor: the same lines between two bare processes. Framer, JSON.parse, JSON.stringify, nothing else. */
import type { Readable } from "node:stream";
import { answer, checkAnswer, spawnChild, stopChild, type Contender } from "./contender.ts";

export function startFloor(): Contender {
  const child = spawnChild("floor");
  const waiting = new Map<number, (result: unknown) => void>();
  let nextId = 1;
  readLines(child.stdout, (line) => {
    const { id, result } = JSON.parse(line) as { id: number; result: unknown };
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  return {
    name: "floor",
    call: async (payload) => {
      const id = nextId++;
      const reply = new Promise<unknown>((resolve) => {
        waiting.set(id, resolve);
      });
      const params = { event: "tool.before", seq: id, payload, timeoutMillis: 5000 };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "extension/intercept", params })}\n`);
      checkAnswer(await reply);
    },
    stop: () => stopChild(child),
  };
}

export function answerFloor(): void {
  readLines(process.stdin, (line) => {
    const { id } = JSON.parse(line) as { id: number };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answer })}\n`);
  });
}

function readLines(input: Readable, take: (line: string) => void): void {
  let rest = "";
  input.setEncoding("utf8");
  input.on("data", (piece: string) => {
    let start = 0;
    let end = piece.indexOf("\n");
    if (end === -1) {
      rest += piece;
      return;
    }
    take(rest + piece.slice(0, end));
    for (;;) {
      start = end + 1;
      end = piece.indexOf("\n", start);
      if (end === -1) break;
      take(piece.slice(start, end));
    }
    rest = piece.slice(start);
  });
}
