/** What trust an update would give or take (pure). */
import type { Program } from "../package/programs.ts";
import type { TrustBlock } from "./block.ts";

export interface TrustChange {
  readonly direction: "gained" | "lost" | "changed";
  /** One line, such as `intercepts tool.before`. */
  readonly what: string;
}

/** Null stands for a plugin without a runtime. Empty when the program and all of its claims stay the same. */
export function trustChanges(before: TrustBlock | null, after: TrustBlock | null): readonly TrustChange[] {
  if (before === null && after === null) return [];
  if (before === null) return [{ direction: "gained", what: "a runtime with full trust" }, ...claims(null, after)];
  if (after === null) return [{ direction: "lost", what: "its runtime" }];
  const changes: TrustChange[] = [...claims(before, after)];
  if (before.command !== after.command) changes.push(changed(`command ${before.command} to ${after.command}`));
  else if (before.sha256 !== after.sha256) changes.push(changed("the command's file"));
  if (JSON.stringify(before.args) !== JSON.stringify(after.args)) changes.push(changed("args"));
  if (JSON.stringify(before.env) !== JSON.stringify(after.env)) changes.push(changed("names of variables"));
  if (before.required !== after.required) changes.push(changed(`required to ${after.required ? "yes" : "no"}`));
  if (before.priority !== after.priority) changes.push(changed(`priority ${before.priority} to ${after.priority}`));
  if (before.timeoutMillis !== after.timeoutMillis)
    changes.push(changed(`budget ${before.timeoutMillis} ms to ${after.timeoutMillis} ms`));
  return changes;
}

/** Hooks and servers that come or go: no full trust, but programs all the same. */
export function programChanges(before: readonly Program[], after: readonly Program[]): readonly TrustChange[] {
  const lines = (programs: readonly Program[]): readonly string[] =>
    programs.map(({ occasion, target }) => `${occasion}: ${target}`);
  const [old, next] = [lines(before), lines(after)];
  return [
    ...next.filter((one) => !old.includes(one)).map((what) => ({ direction: "gained", what }) as const),
    ...old.filter((one) => !next.includes(one)).map((what) => ({ direction: "lost", what }) as const),
  ];
}

function claims(before: TrustBlock | null, after: TrustBlock | null): readonly TrustChange[] {
  const kinds = [
    ["intercepts", before?.intercepts ?? [], after?.intercepts ?? []],
    ["slot", before?.slots ?? [], after?.slots ?? []],
    ["capability", before?.capabilities ?? [], after?.capabilities ?? []],
    ["tool", before?.tools ?? [], after?.tools ?? []],
  ] as const;
  return kinds.flatMap(([kind, old, next]) => [
    ...next
      .filter((one) => !includes(old, one))
      .map((one) => ({ direction: "gained", what: `${kind} ${one}` }) as const),
    ...old.filter((one) => !includes(next, one)).map((one) => ({ direction: "lost", what: `${kind} ${one}` }) as const),
  ]);
}

function includes(list: readonly string[], one: string): boolean {
  return list.includes(one);
}

function changed(what: string): TrustChange {
  return { direction: "changed", what };
}
