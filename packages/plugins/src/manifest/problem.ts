/** What is wrong with a manifest, as a fact and as a sentence. */
import { didYouMean } from "@reasonix-ts/text";
import { describe, type Problem } from "@reasonix-ts/protocol";

export interface ManifestProblem {
  /** JSON pointer into the manifest; empty for the file as a whole. */
  readonly path: string;
  readonly received: string;
  readonly wanted: string;
  /** A whole sentence on what to do, or nothing. */
  readonly hint: string;
}

export function manifestProblem(path: string, received: unknown, wanted: string, hint = ""): ManifestProblem {
  return { path, received: describe(received), wanted, hint };
}

/** `/runtime/intercepts/0: "tool.befor" came, wanted one of …. Did you mean "tool.before"?` */
export function manifestProblemText(problem: ManifestProblem): string {
  const where = problem.path === "" ? "" : `${problem.path}: `;
  const hint = problem.hint === "" ? "" : ` ${problem.hint.trim()}`;
  return `${where}${problem.received}, wanted ${problem.wanted}.${hint}`;
}

/** Words that mean a member of another name: none of them is near enough in letters to be guessed. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["matcher", "match"],
  ["hook", "hooks"],
  ["mcp", "mcpServers"],
  ["cmd", "command"],
  ["environment", "env"],
  ["arguments", "args"],
  ["timeout", "timeoutMillis"],
  ["events", "intercepts"],
  ["slots", "replaces"],
]);

/** Turns what the schema found into manifest problems; `root` is looked at for the words that were written. */
export function fromSchemaProblem(problem: Problem, root: unknown): ManifestProblem {
  switch (problem.kind) {
    case "unknown": {
      const synonym = SYNONYMS.get(problem.member);
      const hint =
        synonym !== undefined && problem.known.includes(synonym)
          ? `Did you mean "${synonym}"?`
          : didYouMean(problem.member, problem.known).trim();
      return { path: problem.path, received: `unknown field "${problem.member}"`, wanted: "no such field", hint };
    }
    case "missing":
      return { path: problem.path, received: "nothing", wanted: problem.expected, hint: "" };
    case "wrong": {
      const value = valueAt(root, problem.path);
      const choices = [...problem.expected.matchAll(/"([^"]+)"/g)].map(([, word]) => word ?? "");
      const hint = typeof value === "string" && choices.length > 1 ? didYouMean(value, choices).trim() : "";
      return { path: problem.path, received: problem.received, wanted: problem.expected, hint };
    }
  }
}

function valueAt(root: unknown, pointer: string): unknown {
  let value: unknown = root;
  for (const segment of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const member = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Object.entries(value).find(([name]) => name === member)?.[1];
  }
  return value;
}
