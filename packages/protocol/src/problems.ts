/** Makes sentences of decoding problems: the one place where they are worded. */
import type { Problem } from "./schema.ts";

/** `unknown field "capabilities" at /capabilities`, `missing field "name" at /name (wanted a non-empty string)`. */
export function problemText(problem: Problem): string {
  const at = problem.path === "" ? "" : ` at ${problem.path}`;
  switch (problem.kind) {
    case "unknown":
      return `unknown field "${problem.member}"${at}`;
    case "missing":
      return `missing field "${lastSegment(problem.path)}"${at} (wanted ${problem.expected})`;
    case "wrong":
      return `${problem.received}${at === "" ? " came" : at}, wanted ${problem.expected}`;
  }
}

/** All problems in one line: `initialize result: unknown field …; missing field …`. */
export function problemsText(what: string, problems: readonly Problem[]): string {
  return `${what}: ${problems.map(problemText).join("; ")}`;
}

function lastSegment(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
