#!/usr/bin/env node
/**
 * Streams the letters A, B, C … in --order=2,1,2,4,3 (numbers; - pauses, x dies), or --count of them as they should
 * come. --last is the number in the end; without it there is no end. --done-at makes one chunk the done chunk.
 */
import { declaration, option, play } from "./honest.mjs";

const count = Number(option("count", "0"));
const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
const order =
  count > 0
    ? numbers
    : option("order", "1,2,3")
        .split(",")
        .filter((step) => step !== "");
const last = option("last", count > 0 ? String(count) : null);
const name = process.env.REASONIX_PLUGIN_NAME || "impostor";
const ref = `plugin/${name}/chat/large`;
const chunkOf = (seq) => {
  if (String(seq) === option("done-at", "")) return { type: "done" };
  return { type: "text", text: String.fromCharCode(65 + ((seq - 1) % 26)) };
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
