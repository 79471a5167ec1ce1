/** The referee's data: what is promised, by whom, until when. */
export { CURRENT_MILESTONE, isDue, MILESTONES, type Milestone } from "./milestones.ts";
export { REQUIREMENTS, type Requirement, type Side } from "./requirements.ts";
