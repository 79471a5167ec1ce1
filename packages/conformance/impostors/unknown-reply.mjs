#!/usr/bin/env node
/** Answers a call that was never made before each answer that was wanted. */
import { play } from "./honest.mjs";

play({
  intercept({ id }, wire) {
    wire.answer(987_654, { decision: "block", reason: "nobody asked" });
    wire.answer(id, { decision: "continue" });
  },
});
