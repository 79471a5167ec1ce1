#!/usr/bin/env node
/** Writes GBK to stderr and dies at the first intercept; with --stdout it writes the same bytes there. */
import { play } from "./honest.mjs";

const bytes = Buffer.from([0xb2, 0xe2, 0xca, 0xd4, 0x0a]);
play({
  intercept() {
    if (process.argv.includes("--stdout")) process.stdout.write(bytes);
    else process.stderr.write(bytes, () => process.exit(1));
  },
});
