/** What one answer does to a payload at a point (pure). */
import {
  decode,
  InterceptResult,
  PERMISSION_DECISIONS,
  POINTS,
  problemsText,
  type ExternalizedField,
  type PointName,
} from "@reasonix-ts/protocol";
import { judgeReplacement } from "./replacement.ts";

export type Folded =
  | { readonly kind: "continue" }
  /** A valid replacement; at points where replacing has no effect the payload is the one that was sent. */
  | { readonly kind: "replace"; readonly payload: object }
  | { readonly kind: "block" | "allow" | "deny"; readonly reason: string }
  /** Not understood, or not legal here: never taken for `continue`. */
  | { readonly kind: "illegal"; readonly problem: string };

/** `brought` is the content reference that this call carried: the only one that an answer may name. */
export function fold(point: PointName, payload: object, answer: unknown, brought: ExternalizedField | null): Folded {
  const decoded = decode(InterceptResult, answer);
  if (!decoded.ok) return illegal(problemsText("intercept result", decoded.problems));
  const { decision, reason = "", replacement, externalized } = decoded.value;
  if (decision !== "replace" && (replacement !== undefined || (externalized?.length ?? 0) > 0))
    return illegal(`a replacement came beside the decision "${decision}"; it belongs to "replace" alone`);
  switch (decision) {
    case "continue":
      return { kind: "continue" };
    case "block":
      return { kind: "block", reason };
    case "allow":
    case "deny":
      if (point === "permission.decision") return { kind: decision, reason };
      return illegal(
        `the decision "${decision}" is legal at permission.decision only (${PERMISSION_DECISIONS.join(", ")}); legal here are continue, replace, block`,
      );
    case "replace":
      return foldReplacement(point, payload, replacement, externalized ?? [], brought);
  }
}

function foldReplacement(
  point: PointName,
  payload: object,
  replacement: unknown,
  externalized: readonly ExternalizedField[],
  brought: ExternalizedField | null,
): Folded {
  if (externalized.length > 0) {
    const problem = referenceProblem(replacement, externalized, brought);
    // The reference stands for the very payload that was sent.
    return problem === null ? { kind: "replace", payload } : illegal(problem);
  }
  if (replacement === undefined) return illegal('the decision "replace" came without a replacement at /replacement');
  const judged = judgeReplacement(point, payload, replacement);
  if (!judged.ok) return illegal(problemsText(`replacement at ${point}`, judged.problems));
  return { kind: "replace", payload: POINTS[point].replaceable ? judged.payload : payload };
}

function referenceProblem(
  replacement: unknown,
  externalized: readonly ExternalizedField[],
  brought: ExternalizedField | null,
): string | null {
  const [field] = externalized;
  if (field === undefined || externalized.length > 1 || field.jsonPointer !== "/replacement")
    return 'externalized holds something else than one entry with the jsonPointer "/replacement"';
  if (replacement !== undefined) return "a replacement came inline and by reference together";
  if (brought === null || field.contentRef !== brought.contentRef)
    return `the content reference ${JSON.stringify(field.contentRef)} is not one that this call brought`;
  if (field.sha256 !== brought.sha256 || field.totalBytes !== brought.totalBytes)
    return "the content reference came with another hash or size than it was given with";
  return null;
}

function illegal(problem: string): Folded {
  return { kind: "illegal", problem };
}
