#!/usr/bin/env node
/** Ignores the shutdown request, the end of its input and every signal that can be ignored. */
import { play } from "./honest.mjs";

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
setInterval(() => {}, 1_000);
play({ shutdown: () => {}, end: () => {} });
