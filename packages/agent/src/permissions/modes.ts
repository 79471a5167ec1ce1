/** What a session may touch, and who decides beyond that. */

export const MODES = ["read-only", "workspace-write", "danger-full-access"] as const;
export type Mode = (typeof MODES)[number];

/** `ask`: a person decides what no rule decides. `auto`: allowed in the mode's bounds, asked outside. `never`: refused there. */
export const APPROVALS = ["ask", "auto", "never"] as const;
export type Approvals = (typeof APPROVALS)[number];
