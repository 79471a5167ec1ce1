#!/usr/bin/env node
/** Stops reading its input after the handshake. */
import { play } from "./honest.mjs";

setInterval(() => {}, 1_000);
play({ initialized: () => process.stdin.pause(), intercept: () => {} });
