#!/usr/bin/env node
/**
 * Reads the content of every intercept at --offsets (JSON; "total" and "total+1" stand for its size), once more under a
 * reference that nobody gave it, and blocks with the outcomes as its reason.
 */
import { option, play } from "./honest.mjs";

const offsets = JSON.parse(option("offsets", '[-1, 1.5, "0", "total", "total+1"]'));
const waiting = new Map();
let nextId = 1;

const outcomeOf = ({ result, error }) => {
  if (error) return error.data.reason;
  const last = result.nextOffset === undefined ? "last" : "first";
  return result.dataBase64 === "" ? `empty_${last}_page` : `${last}_page`;
};
const read = (wire, contentRef, offset) =>
  new Promise((resolve) => {
    const id = nextId++;
    waiting.set(id, resolve);
    wire.send({ id, method: "host/content/read", params: { contentRef, offset } });
  });

play({
  reply: (frame) => waiting.get(frame.id)?.(outcomeOf(frame)),
  async intercept({ id, params: { externalized = [] } }, wire) {
    const [field] = externalized;
    if (!field) return wire.answer(id, { decision: "continue" });
    const sizes = { total: field.totalBytes, "total+1": field.totalBytes + 1 };
    const asked = offsets.map((offset) => read(wire, field.contentRef, sizes[offset] ?? offset));
    const outcomes = await Promise.all([...asked, read(wire, "a-reference-of-nobody", 0)]);
    wire.answer(id, { decision: "block", reason: outcomes.join(" ") });
  },
});
