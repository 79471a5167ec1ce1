/** Every frame of every sidecar as one line of JSON, redacted, for a file that helps to find out what was said. */
import type { Direction, PeerOptions } from "@reasonix-ts/rpc";
import type { SidecarSpec } from "./spec.ts";

/** Takes one line without its line end; must not throw. */
export type TraceSink = (line: string) => void;

export interface TraceContext {
  readonly generation: number;
  readonly redact: (text: string) => string;
  readonly clock: { wall(): number };
  /** Null when nothing is traced: the peer then does nothing for it. */
  readonly trace: TraceSink | null;
}

/** The peer's option, absent when nothing is traced. */
export function traceOption({ plugin }: SidecarSpec, context: TraceContext): Pick<PeerOptions, "trace"> {
  const { generation, redact, clock, trace } = context;
  if (trace === null) return {};
  return {
    trace(direction, frame) {
      trace(traceLine({ time: clock.wall(), plugin, generation, direction, frame }, redact));
    },
  };
}

/**
 * `{time, plugin, generation, direction, frame}`, where `in` came from the sidecar; `text` stands in the place of
 * `frame` when what passed, or what redaction left of it, is no JSON.
 */
export function traceLine(
  facts: {
    /** Milliseconds since the epoch. */
    readonly time: number;
    readonly plugin: string;
    readonly generation: number;
    readonly direction: Direction;
    readonly frame: string;
  },
  redact: (text: string) => string,
): string {
  const { plugin, generation, direction } = facts;
  const frame = redact(facts.frame.trimEnd());
  const head = JSON.stringify({ time: new Date(facts.time).toISOString(), plugin, generation, direction });
  return `${head.slice(0, -1)},${isJson(frame) ? `"frame":${frame}` : `"text":${JSON.stringify(frame)}`}}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
