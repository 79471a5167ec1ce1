#!/usr/bin/env node
/** Ends its lines with CR LF and puts blank lines between them. */
import { declaration, play } from "./honest.mjs";

const crlf = (frame) => void process.stdout.write(`\r\n${JSON.stringify({ jsonrpc: "2.0", ...frame })}\r\n\n`);
play({
  initialize: ({ id }) => crlf({ id, result: declaration() }),
  intercept: ({ id }) => crlf({ id, result: { decision: "block", reason: "over CRLF" } }),
  shutdown: ({ id }) => crlf({ id, result: {} }),
});
