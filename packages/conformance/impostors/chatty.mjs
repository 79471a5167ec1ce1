#!/usr/bin/env node
/** Writes --bytes to stderr before its first answer, without a line end with --no-lines. */
import { option, play } from "./honest.mjs";

const bytes = Number(option("bytes", "2000000"));
const line = process.argv.includes("--no-lines") ? "progress\r" : "a line of a chatty library\n";
process.stderr.write(line.repeat(Math.ceil(bytes / line.length)));
play();
