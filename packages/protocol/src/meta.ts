/** The frame member `_meta` beside `params`: what helps authors and is in no payload. */
import { object, optional } from "./object-schema.ts";
import { named, string, type Infer } from "./schema.ts";

/**
 * `callId`: the tool call that the frame is about, the same at tool.before, permission.decision and tool.after;
 * `agent`: `main`, or the sub-agent's name; `sessionId`: the stored session's id (the handshake's is another).
 */
export const FrameMeta = named(
  "FrameMeta",
  object({ callId: optional(string), agent: optional(string), sessionId: optional(string) }),
);
export type FrameMeta = Infer<typeof FrameMeta>;
