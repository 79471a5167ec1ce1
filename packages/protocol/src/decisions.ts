/** The five answers to an intercept. */

export const DECISIONS = ["allow", "block", "continue", "deny", "replace"] as const;
export type Decision = (typeof DECISIONS)[number];

/** Answers that are legal at `permission.decision` only. */
export const PERMISSION_DECISIONS: readonly Decision[] = ["allow", "deny"];
