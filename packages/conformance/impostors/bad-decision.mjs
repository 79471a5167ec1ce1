#!/usr/bin/env node
/** Answers every intercept with --result, any JSON. */
import { option, play } from "./honest.mjs";

const result = JSON.parse(option("result", '{"decision":"blok"}'));
play({ intercept: ({ id }, wire) => wire.answer(id, result) });
