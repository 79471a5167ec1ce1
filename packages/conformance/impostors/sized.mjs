#!/usr/bin/env node
/** Answers every intercept with a frame of exactly --bytes bytes of JSON text, filled up in a member beside the result. */
import { option, play } from "./honest.mjs";

const bytes = Number(option("bytes", "8388608"));
play({
  intercept({ id }, wire) {
    const frame = { jsonrpc: "2.0", id, result: { decision: "continue" }, filler: "" };
    const filler = "x".repeat(bytes - JSON.stringify(frame).length);
    wire.line(JSON.stringify({ ...frame, filler }));
  },
});
