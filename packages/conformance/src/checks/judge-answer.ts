/** Judges the answer to an intercept as a host does (pure). */
import {
  decode,
  InterceptResult,
  PERMISSION_DECISIONS,
  POINTS,
  problemsText,
  type InterceptResult as InterceptAnswer,
  type PointName,
  type PointRow,
} from "@reasonix-ts/protocol";
import { Finding, show } from "../finding.ts";
import { isJsonObject } from "../wire/frame.ts";
import type { Answer } from "../play/answers.ts";

/** `refs` are the content references that the call brought. Throws a Finding. */
export function judgeIntercept(
  point: PointName,
  answer: Answer,
  refs: readonly string[] = [],
): InterceptAnswer | "error" {
  const row: PointRow = POINTS[point];
  const about = { sent: show(answer.sent) };
  if (answer.kind === "error") {
    if (row.eventByHabit) return "error";
    const got = `error ${answer.code}: ${answer.message}`;
    const wanted = `{"decision":"continue"} where it has nothing to say; an error counts as a failed interceptor`;
    throw new Finding({ what: `the intercept at ${point} was answered with an error`, wanted, got, ...about });
  }
  const got = show(answer.result);
  const fail = (what: string, wanted: string): never => {
    throw new Finding({ what, wanted, got, ...about });
  };
  const decoded = decode(InterceptResult, structuredClone(answer.result));
  if (!decoded.ok)
    return fail(problemsText(`answer at ${point}`, decoded.problems), "an InterceptResult of the contract");
  const { decision, replacement, externalized = [] } = decoded.value;
  if (PERMISSION_DECISIONS.includes(decision) && point !== "permission.decision")
    return fail(
      `the decision "${decision}" at ${point}`,
      `continue, block or replace: ${decision} is for permission.decision`,
    );
  if (decision !== "replace") {
    if (replacement !== undefined || externalized.length > 0)
      return fail(`the decision "${decision}" beside a replacement`, 'the decision "replace", or no replacement');
    return decoded.value;
  }
  const [reference] = externalized;
  if (reference !== undefined) {
    if (reference.jsonPointer !== "/replacement" || !refs.includes(reference.contentRef))
      return fail(
        "a replacement by a reference that this call did not bring",
        "/replacement with the call's own reference",
      );
    return decoded.value;
  }
  judgeReplacement(point, row, replacement, fail);
  return decoded.value;
}

function judgeReplacement(
  point: PointName,
  row: PointRow,
  replacement: unknown,
  fail: (what: string, wanted: string) => never,
): void {
  if (!isJsonObject(replacement)) return fail("a replacement that is no object", `the whole payload of ${point}`);
  for (const pointer of row.required) {
    if (memberAt(replacement, pointer) !== undefined) continue;
    fail(`the replacement at ${point} lacks ${pointer}`, "the whole payload, never a patch");
  }
  // Absent members are their zero value where the contract does not demand them.
  const decoded = decode(row.payload, structuredClone(replacement));
  const problems = decoded.ok ? [] : decoded.problems.filter(({ kind }) => kind !== "missing");
  if (problems.length > 0)
    fail(
      problemsText(`replacement at ${point}`, problems),
      `the payload of ${point}, with fields of the contract alone`,
    );
}

function memberAt(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((inner, member) => (isJsonObject(inner) ? (inner[member] ?? undefined) : undefined), value);
}
