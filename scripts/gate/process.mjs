/** Runs one program of the gate to its end or its deadline, and ends all that it started. */
import { spawn } from "node:child_process";

/** Between the polite signal and the hard one, in milliseconds: a test runner takes down what its tests started. */
const GRACE = 5_000;

/** How much of a quiet program's output is kept for the report of a failure, in characters. */
const KEPT = 200_000;

/**
 * Resolves to {code, output, cause}: `code` 0 when all is well, `cause` a sentence when the program did not end by
 * itself. `show` lets the program write to this terminal, otherwise its output is kept.
 */
export function runProgram(args, { cwd, env, deadline, show, signal }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env,
      detached: process.platform !== "win32",
      stdio: ["ignore", show ? "inherit" : "pipe", show ? "inherit" : "pipe"],
    });
    let output = "";
    let cause = null;
    const keep = (bytes) => (output = `${output}${bytes}`.slice(-KEPT));
    child.stdout?.setEncoding("utf8").on("data", keep);
    child.stderr?.setEncoding("utf8").on("data", keep);

    let grace;
    const end = (why) => {
      if (cause !== null) return;
      cause = why;
      endTree(child, "SIGTERM");
      grace = setTimeout(() => endTree(child, "SIGKILL"), GRACE);
    };
    const timer = setTimeout(() => end(`did not end within ${deadline / 1000} s`), deadline);
    const onAbort = () => end("was interrupted");
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (code) => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener("abort", onAbort);
      resolve({ code: cause === null ? code : 1, output: output.trimEnd(), cause });
    };
    child.on("error", (error) => {
      cause = `could not start: ${error.message}`;
      settle(1);
    });
    child.on("close", (code, killedBy) => {
      if (code === null && cause === null) cause = `was ended by ${killedBy}`;
      settle(code ?? 1);
    });
  });
}

function endTree(child, how) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(how);
    else process.kill(-child.pid, how);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
