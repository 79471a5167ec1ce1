/** What a sidecar says on stderr and what of it was ignored, one line each, for a person who looks for the reason. */
import { oneLine } from "@reasonix-ts/text";

/** Takes one redacted line without its line end; must not throw. */
export type DebugSink = (line: string) => void;

interface DebugContext {
  readonly redact: (text: string) => string;
  /** Null when nobody looks: then no line is made. */
  readonly debug: DebugSink | null;
}

/** A sink for one plugin's lines; null when nobody looks. */
export function debugOf(plugin: string, { redact, debug }: DebugContext): DebugSink | null {
  return debug === null ? null : (line) => debug(`plugin "${plugin}": ${oneLine(redact(line))}`);
}
