#!/usr/bin/env node
/** Writes half of its answer and leaves. */
import { play } from "./honest.mjs";

play({
  intercept({ id }) {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"resu`, () => process.exit(0));
  },
});
