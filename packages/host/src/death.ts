/** Words why a sidecar is gone (pure). */
import { describeExit, type Exit } from "@reasonix-ts/process";
import type { Reason } from "@reasonix-ts/protocol";
import type { CloseReason } from "@reasonix-ts/rpc";
import { formatBytes, stripControls } from "@reasonix-ts/text";

export interface Death {
  readonly reason: Reason;
  /** Names the plugin, what happened, the end of its stderr, and what to do; redacted. */
  readonly message: string;
  readonly exit: Exit | null;
  /** Why the connection ended. */
  readonly close: CloseReason;
  /** The end of its stderr, not redacted. */
  readonly stderr: string;
  /** True when the host ended it on purpose. */
  readonly wanted: boolean;
}

export interface DeathFacts {
  readonly plugin: string;
  readonly reason: CloseReason;
  readonly exit: Exit | null;
  /** Whether the host had to kill it. */
  readonly killed: boolean;
  readonly stderr: string;
  readonly redact: (text: string) => string;
  readonly wanted: boolean;
  /** Whether there is somebody who can reload. */
  readonly reloads: boolean;
}

export function deathOf(facts: DeathFacts): Death {
  const { plugin, reason, exit, stderr, redact, wanted } = facts;
  const tail = stderrSentence(redact(stderr));
  const name = `Plugin "${plugin}"`;
  const base = { exit, close: reason, stderr, wanted };
  switch (reason.kind) {
    case "protocol_error": {
      const message = `${name} broke the protocol and was ended (protocol_error): it sent ${reason.what}: ${reason.quote}. ${CHANNEL}${tail}`;
      return { ...base, reason: "protocol_error", message };
    }
    case "frame_too_large": {
      const size = `${reason.complete ? "" : "at least "}${reason.bytes} bytes`;
      const message = `${name} sent a frame of ${size}, over the limit of ${reason.limit} (${formatBytes(reason.limit)}), and was ended (frame_too_large). Page large content through a content reference.${tail}`;
      return { ...base, reason: "frame_too_large", message };
    }
    case "ended":
    case "broken":
    case "closed": {
      // Without a person nobody reloads: the next run starts it again by itself.
      const again = facts.reloads ? " Reload to start it again." : "";
      const message = `${name} ${endingOf(facts)}.${again}${tail}`;
      return { ...base, reason: "internal", message };
    }
  }
}

/**
 * ` It last wrote to stderr: …`, or nothing; at most the last ten lines and 1,000 characters, without the frames of a
 * stack, which would bury what was said. A line that says what went wrong and is not among them comes first.
 */
export function stderrSentence(redacted: string): string {
  const all = stripControls(redacted)
    .trimEnd()
    .split("\n")
    .filter((line) => !STACK.test(line));
  const lines = all.slice(-10).join("\n").trimEnd();
  const shown = lines.length > 1_000 ? `…${lines.slice(-1_000)}` : lines;
  if (shown === "") return "";
  const fault = all.findLast((line) => FAULT.test(line))?.slice(0, 300) ?? null;
  const first = fault === null || shown.startsWith(fault) ? "" : ` It failed with: ${fault}.`;
  return `${first} It last wrote to stderr: ${shown}`;
}

/** As runtimes head an error that nobody caught: `TypeError: …`, `Error [ERR_MODULE_NOT_FOUND]: …`, `panic: …`. */
const FAULT = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception)(?: \[\w+\])?|panic): \S/;

/** What Node adds below an error: where it came from, and its own version. */
const STACK = /^\s+at \S|^Node\.js v\d/;

const CHANNEL = "Stdout is the protocol channel, one JSON-RPC 2.0 object a line; logs belong on stderr.";

function endingOf({ reason, exit, killed, wanted }: DeathFacts): string {
  if (exit === null) return `is lost: ${reason.message}`;
  if (wanted) return "was stopped by the host";
  if (killed) return `was ended: ${reason.kind === "ended" ? "it closed its output and ran on" : reason.message}`;
  const half = reason.kind === "ended" && reason.truncated !== undefined;
  const where = half ? `, in the middle of a frame (${reason.truncated.quote})` : "";
  return `ended with ${describeExit(exit)} after ${Math.round(exit.elapsedMillis)} ms${where}`;
}
