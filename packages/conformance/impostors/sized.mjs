#!/usr/bin/env node
/** Answers every intercept with a frame of exactly --bytes bytes of JSON text. */
import { option, play } from "./honest.mjs";

const bytes = Number(option("bytes", "8388608"));
play({
  intercept({ id }, wire) {
    const around = JSON.stringify({ jsonrpc: "2.0", id, result: { decision: "block", reason: "" } });
    const reason = "x".repeat(bytes - around.length);
    wire.line(JSON.stringify({ jsonrpc: "2.0", id, result: { decision: "block", reason } }));
  },
});
