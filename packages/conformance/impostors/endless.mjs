#!/usr/bin/env node
/** Writes a line without an end, --megabytes long, when it is first asked. */
import { option, play } from "./honest.mjs";

play({
  intercept() {
    const piece = Buffer.alloc(1_048_576, "x");
    let left = Number(option("megabytes", "64"));
    const more = () => {
      if (left-- > 0) process.stdout.write(piece, more);
    };
    process.stdout.on("error", () => process.exit(0));
    more();
  },
});
