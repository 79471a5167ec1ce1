#!/usr/bin/env node
/** Never answers: not the handshake, or with --at=intercept no intercept (all points, or the one of --point). */
import { option, play } from "./honest.mjs";

const point = option("point", null);
const hang = () => {};
const hangAtPoint = ({ id, params }, wire) => {
  if (point !== null && params.event !== point) wire.answer(id, { decision: "continue" });
};
play(option("at", "initialize") === "initialize" ? { initialize: hang } : { intercept: hangAtPoint });
