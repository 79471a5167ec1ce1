#!/usr/bin/env node
/** Answers every intercept --delay milliseconds late, with a ruling that must be applied to nothing. */
import { option, play } from "./honest.mjs";

const delay = Number(option("delay", "7000"));
let first = true;
play({
  intercept({ id }, wire) {
    if (!first) return wire.answer(id, { decision: "continue" });
    first = false;
    setTimeout(() => wire.answer(id, { decision: "block", reason: "late answer" }), delay);
  },
});
