#!/usr/bin/env node
/** Writes every answer one byte a tick, with characters of many bytes in its version. */
import { declaration, play } from "./honest.mjs";

const queue = [];
let writing = false;
function drip() {
  const byte = queue.shift();
  if (byte === undefined) return void (writing = false);
  writing = true;
  process.stdout.write(Buffer.from([byte]), () => setImmediate(drip));
}
function slowly(frame) {
  queue.push(...Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`));
  if (!writing) drip();
}
play({
  initialize: ({ id }) => slowly({ id, result: declaration({ version: "读—🎉\u2028\u0085" }) }),
  intercept: ({ id }) => slowly({ id, result: { decision: "block", reason: "读—🎉\u2028" } }),
});
