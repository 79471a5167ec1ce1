/** This project's transport, called as the host calls it: payload serialised once, spliced in, with a deadline. */
import { rawJson } from "@reasonix-ts/rpc";
import { connectStdio } from "@reasonix-ts/rpc/node";
import { answer, checkAnswer, spawnChild, stopChild, type Contender } from "./contender.ts";

export function startOurs(): Contender {
  const child = spawnChild("ours");
  const peer = connectStdio({ input: child.stdout, output: child.stdin });
  let seq = 1;
  return {
    name: "ours",
    call: async (payload) => {
      const text = `{"event":"tool.before","seq":${seq++},"payload":${JSON.stringify(payload)},"timeoutMillis":5000}`;
      checkAnswer(await peer.request("extension/intercept", rawJson(text), { timeoutMillis: 5000 }));
    },
    stop: () => stopChild(child),
  };
}

export function answerOurs(): void {
  const peer = connectStdio({ input: process.stdin, output: process.stdout });
  peer.onRequest("extension/intercept", () => answer);
}
