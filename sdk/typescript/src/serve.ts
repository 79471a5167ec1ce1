/** Runs an extension as a sidecar: stdin and stdout are the connection, and the process ends when the host is gone. */
import { ShutdownParams } from "@reasonix-ts/protocol";
import type { CloseReason } from "@reasonix-ts/rpc";
import { connectStdio } from "@reasonix-ts/rpc/node";
import { attach } from "./attach.ts";
import { demandSound, type Extension } from "./define.ts";
import { describeFailure } from "./failure.ts";
import { createGoodbye } from "./goodbye.ts";
import { createLog, messageOf } from "./log.ts";
import { createRedactor, secretsOf } from "./redact.ts";
import { guardStdout } from "./stdout-guard.ts";
import { warmUp } from "./warm-up.ts";
import { readParams } from "./wire.ts";

/** What is left of the shutdown's time for the answer to travel, in milliseconds. */
const SHUTDOWN_MARGIN = 250;
/** From the end of stdin to the end of this process: handlers that hang do not hold it up. */
const LAST_WORDS = 1_000;
/** How long a host that does not read may hold up the last answer. */
const LAST_WRITE = 500;

/**
 * Serves until the host says goodbye or its pipe ends, then exits: 0, or 1 when the connection broke or `onStart` failed.
 * Throws a TypeError for what is no extension.
 */
export function serve(extension: Extension): void {
  demandSound("serve", extension);
  const stdout = guardStdout();
  const { stdin, stderr, env } = process;
  const log = createLog(extension.name, (line) => void stderr.write(line));
  let redactor: ((text: string) => string) | undefined;
  const redact = (text: string): string => {
    redactor ??= createRedactor(secretsOf(env));
    return redactor(text);
  };
  // A host that stopped reading the log is no reason to end.
  stderr.on("error", () => {});
  process.on("unhandledRejection", (error) => log(`unhandled rejection: ${messageOf(error)}`, error));
  if (stdin.isTTY) log("this is a Reasonix sidecar: a host starts it and speaks to it over stdin and stdout");
  // In a terminal the interrupt key reaches the whole group; the host alone decides what it means.
  else process.on("SIGINT", () => {});

  const peer = connectStdio(
    { input: stdin, output: stdout },
    {
      acceptUnaddressedErrors: true,
      describeError: describeFailure(redact),
      handlerFailed: (error, method) => log(`${method} failed: ${messageOf(error)}`, error),
      redact,
    },
  );
  const exit = (code: number): void => {
    setTimeout(() => process.exit(code), LAST_WRITE);
    stdout.write("", () => process.exit(code));
  };
  const pluginName = env["REASONIX_PLUGIN_NAME"] ?? extension.name;
  // What waits for `onStart` is answered with its error first.
  const startFailed = (): void => void setImmediate(() => exit(1));
  const link = attach(peer, extension, { pluginName, log, redact, startFailed });
  const goodbye = createGoodbye(link);

  peer.onRequest("extension/shutdown", async (params) => {
    const { timeoutMillis } = readParams("extension/shutdown", ShutdownParams, params);
    await goodbye(Math.max(timeoutMillis - SHUTDOWN_MARGIN, timeoutMillis / 2));
    // The answer is written when this function has returned.
    setImmediate(() => exit(0));
    return { accepted: true };
  });

  void peer.closed.then(async (reason) => {
    if (reason.kind !== "ended" && reason.kind !== "closed") log(reason.message);
    await goodbye(LAST_WORDS);
    exit(exitCode(reason));
  });

  void link.opened.then(() => setImmediate(() => void warmUp(() => peer.reason === undefined)));
}

function exitCode({ kind }: CloseReason): number {
  return kind === "ended" || kind === "closed" ? 0 : 1;
}
