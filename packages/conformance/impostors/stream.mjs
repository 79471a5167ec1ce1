#!/usr/bin/env node
/** Streams the letters A, B, C … with --order=2,1,2,4,3 (numbers, - for a pause) and the last number of --last (none: no end). */
import { declaration, option, play } from "./honest.mjs";

const order = option("order", "1,2,3")
  .split(",")
  .filter((step) => step !== "");
const last = option("last", null);
const name = process.env.REASONIX_PLUGIN_NAME || "impostor";
const ref = `plugin/${name}/chat/large`;
const chunkOf = (seq) => {
  if (String(seq) === option("call-at", "")) {
    return { type: "tool_call", toolCall: { id: "c1", name: "bash", arguments: '{"command":"rm -rf ' } };
  }
  if (String(seq) === option("done-at", "")) return { type: "done" };
  return { type: "text", text: String.fromCharCode(64 + seq) };
};
play({
  initialize: ({ id }, wire) =>
    wire.answer(id, declaration({ providers: [{ ref, model: "large", contextWindow: 8192 }] })),
  catalog: ({ id }, wire) => wire.answer(id, { providers: [{ ref, model: "large", contextWindow: 8192 }] }),
  async open({ id, params: { streamId } }, wire) {
    wire.answer(id, { accepted: true });
    for (const seq of order) {
      if (seq === "-") await new Promise((resolve) => setTimeout(resolve, 50));
      else if (seq === "x") process.exit(9);
      else wire.notify("extension/provider/stream/chunk", { streamId, seq: Number(seq), chunk: chunkOf(Number(seq)) });
    }
    if (last !== null) wire.notify("extension/provider/stream/end", { streamId, lastSeq: Number(last) });
  },
});
