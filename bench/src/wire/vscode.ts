/** vscode-jsonrpc: the same call with its Content-Length framing. */
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from "vscode-jsonrpc/node";
import type { Readable, Writable } from "node:stream";
import { answer, checkAnswer, spawnChild, stopChild, type Contender } from "./contender.ts";

export function startVscode(): Contender {
  const child = spawnChild("vscode");
  const connection = connect(child.stdout, child.stdin);
  let seq = 1;
  return {
    name: "vscode",
    call: async (payload) => {
      const params = { event: "tool.before", seq: seq++, payload, timeoutMillis: 5000 };
      checkAnswer(await connection.sendRequest("extension/intercept", params));
    },
    stop: () => {
      connection.dispose();
      return stopChild(child);
    },
  };
}

export function answerVscode(): void {
  const connection = connect(process.stdin, process.stdout);
  connection.onRequest("extension/intercept", () => answer);
  process.stdin.on("end", () => connection.dispose());
}

function connect(input: Readable, output: Writable): MessageConnection {
  const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  connection.listen();
  return connection;
}
