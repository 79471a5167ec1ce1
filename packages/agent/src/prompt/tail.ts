/** What changes from request to request: sent last and never stored, so that all before it stays as it was. */
import type { JobView } from "../tools/jobs.ts";

export function volatileTail(facts: {
  readonly goal: string | null;
  readonly jobs: readonly JobView[];
}): string | null {
  const lines: string[] = [];
  if (facts.goal !== null) lines.push(`The goal of this session, until the person changes it: ${facts.goal}`);
  for (const { id, command, ended } of facts.jobs) {
    lines.push(
      `Background job ${id} (${command.slice(0, 80)}): ${ended === null ? "it runs" : `it ended with ${ended}`}`,
    );
  }
  return lines.length === 0 ? null : lines.join("\n");
}
