#!/usr/bin/env node
/** Exits with --code at a moment: --at=start, initialize, initialized, intercept, event, open or shutdown. */
import { declaration, option, play } from "./honest.mjs";

const at = option("at", "intercept");
const code = Number(option("code", "3"));
const die = () => {
  process.stderr.write(option("stderr", "panic: out of ideas\n"));
  process.exit(code);
};
if (at === "start") die();
if (at === "handshake") play({ initialize: ({ id }, wire) => (wire.answer(id, declaration()), setImmediate(die)) });
else play({ [at]: die });
