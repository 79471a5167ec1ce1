/** The stages at which requirements fall due, in order. */

export const MILESTONES = [
  "thread",
  "wire",
  "host",
  "referee",
  "packages",
  "agent",
  "bring",
  "contributions",
  "frontends",
  "authors",
  "speed",
] as const;
export type Milestone = (typeof MILESTONES)[number];

/** Every requirement that is due up to here must be cited by a test. */
export const CURRENT_MILESTONE: Milestone = "bring";

export function isDue(milestone: Milestone, current: Milestone): boolean {
  return MILESTONES.indexOf(milestone) <= MILESTONES.indexOf(current);
}
