#!/usr/bin/env node
/** Writes one line that is no frame (--line) in place of, or beside (--and-answer), its answer to an intercept. */
import { option, play } from "./honest.mjs";

play({
  intercept({ id }, wire) {
    wire.line(option("line", "Segmentation fault"));
    if (process.argv.includes("--and-answer")) wire.answer(id, { decision: "continue" });
  },
});
