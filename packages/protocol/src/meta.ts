/** The frame member `_meta` beside `params`: what helps authors and is in no payload. */

export interface FrameMeta {
  /** The tool call that this frame is about, the same at tool.before, permission.decision and tool.after. */
  readonly callId?: string;
  /** `main`, or the sub-agent's name. */
  readonly agent?: string;
  /** The stored session's id; the handshake's `sessionId` is another. */
  readonly sessionId?: string;
}
