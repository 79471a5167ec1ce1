/** Names under which models see tools of others: letters, digits, `_` and `-`, at most 64. */
import { createHash } from "node:crypto";

const LONGEST = 64;

/** `ext__<plugin>__<tool>` or `mcp__<server>__<tool>`; a name that had to be changed or cut ends with a part of its hash. */
export function modelToolName(prefix: "ext" | "mcp", owner: string, tool: string): string {
  const whole = `${prefix}__${owner}__${tool}`;
  const plain = whole.replace(/[^\w-]/g, "_");
  if (plain === whole && whole.length <= LONGEST) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${plain.slice(0, LONGEST - hash.length - 1)}_${hash}`;
}
