/** How a summary stands in the conversation. */
import type { StoredMessage } from "../ports.ts";

export function summaryMessage(summary: string): StoredMessage {
  return {
    role: "user",
    content: `The earlier part of this conversation was folded into this summary:\n\n${summary}`,
  };
}
