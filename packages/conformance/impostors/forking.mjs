#!/usr/bin/env node
/** Starts a grandchild that ignores signals, and leaves without it; --detached puts it into a group of its own. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { option, play } from "./honest.mjs";

const code = 'for (const s of ["SIGTERM","SIGINT","SIGHUP"]) process.on(s,()=>{});setInterval(()=>{},1000)';
const child = spawn(process.execPath, ["-e", code], { stdio: "ignore", detached: process.argv.includes("--detached") });
child.unref();
const note = option("pid-file", null);
if (note !== null) writeFileSync(note, String(child.pid));
play();
