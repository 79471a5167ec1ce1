#!/usr/bin/env node
/** Answers every intercept twice: continue, and then a block. */
import { play } from "./honest.mjs";

play({
  intercept({ id }, wire) {
    wire.answer(id, { decision: "continue" });
    wire.answer(id, { decision: "block", reason: "SECOND ANSWER" });
  },
});
