#!/usr/bin/env node
/** Sends --count notifications at once at every intercept, and then answers it. */
import { option, play } from "./honest.mjs";

play({
  intercept({ id }, wire) {
    const count = Number(option("count", "512"));
    const params = { streamId: "nobody-opened-it", seq: 1, chunk: { type: "text", text: "x" } };
    const line = `${JSON.stringify({ jsonrpc: "2.0", method: option("method", "extension/provider/stream/chunk"), params })}\n`;
    process.stdout.write(line.repeat(count));
    wire.answer(id, { decision: "continue" });
  },
});
