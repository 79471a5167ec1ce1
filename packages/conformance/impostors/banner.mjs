#!/usr/bin/env node
/** Prints a line on stdout before its first frame, as a chatty dependency does. */
import { option, play } from "./honest.mjs";

process.stdout.write(`${option("text", "[db] Connected to /var/lib/app/data.db")}\n`);
play();
