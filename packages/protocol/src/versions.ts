/** Judges the version that a peer names in the handshake: `"2"` and nothing else. */
import { PROTOCOL_ID, PROTOCOL_VERSION } from "./limits.ts";
import { describe } from "./schema.ts";

export type VersionVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: "unsupported_version" | "protocol_error"; readonly text: string };

/**
 * Another version is `unsupported_version`, a value that is no version at all `protocol_error`; the text shows what
 * came and what was wanted. `undefined` stands for a missing member.
 */
export function judgeVersion(received: unknown): VersionVerdict {
  if (received === PROTOCOL_VERSION) return { ok: true };
  const wanted = JSON.stringify(PROTOCOL_VERSION);
  if (received === undefined) {
    return { ok: false, reason: "protocol_error", text: `protocolVersion is missing, wanted ${wanted}` };
  }
  const came = `protocolVersion ${describe(received)}`;
  if (typeof received === "string" && /^\d+(\.\d+)*$/.test(received)) {
    return {
      ok: false,
      reason: "unsupported_version",
      text: `${came} is not supported, this side speaks ${wanted} only`,
    };
  }
  return { ok: false, reason: "protocol_error", text: `${came} is no version${hintFor(received)}, wanted ${wanted}` };
}

function hintFor(received: unknown): string {
  if (received === PROTOCOL_ID) return " but the protocol's id";
  if (typeof received === "number") return " but a number";
  return "";
}
