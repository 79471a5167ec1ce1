/** The referee as a library, and its data: what is promised, by whom, until when. */
export { HOST_CASES } from "./cases.ts";
export { CHECKS } from "./checks/all.ts";
export type { Arena, Check, Facts, Outcome, Verdict } from "./checks/check.ts";
export { Finding, type FindingFacts } from "./finding.ts";
export { CURRENT_MILESTONE, isDue, MILESTONES, type Milestone } from "./milestones.ts";
export { expectationOf, OPEN_EXPECTATION, type Expectation } from "./play/expectation.ts";
export { judge, type Judgement, type RefereeOptions } from "./referee.ts";
export { countVerdicts, type Counts } from "./report/counts.ts";
export { jsonReport } from "./report/json.ts";
export type { Subject } from "./report/subject.ts";
export { tapReport } from "./report/tap.ts";
export { textReport } from "./report/text.ts";
export { REQUIREMENTS, type Requirement, type Side } from "./requirements.ts";
export { findSubject } from "./subject-files.ts";
export type { Program } from "./wire/program.ts";
