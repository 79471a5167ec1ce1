/** What the tests of examples share. */
export { scriptedModel } from "./config.ts";
export { openTrial, type Ran, type Trial, type TrialOptions } from "./trial.ts";
