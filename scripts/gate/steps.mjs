/** THE table of the gate's steps: what runs, in which round, and how long it may take. */

const MINUTE = 60_000;

/**
 * Steps of one round run beside one another; a round begins when the one before has ended.
 * `args` are Node's arguments, relative to the root; `mends` is the command that mends what the step finds;
 * `needs` names a step without which this one would only repeat the same failure.
 */
export const STEPS = [
  { name: "build", round: 1, args: ["scripts/build.mjs"], deadline: 3 * MINUTE },
  { name: "types", round: 2, args: ["node_modules/ts7/bin/tsc", "-p", "tsconfig.json"], deadline: 3 * MINUTE },
  {
    name: "lint",
    round: 2,
    args: ["node_modules/oxlint/bin/oxlint", "--type-aware", "--deny-warnings"],
    deadline: 3 * MINUTE,
  },
  {
    name: "format",
    round: 2,
    args: ["node_modules/oxfmt/bin/oxfmt", "--check"],
    deadline: 3 * MINUTE,
    mends: "npm run format",
  },
  { name: "layers", round: 2, args: ["scripts/layers.mjs"], deadline: 3 * MINUTE },
  {
    name: "unused",
    round: 2,
    args: ["node_modules/knip/bin/knip.js", "--no-config-hints", "--no-progress"],
    deadline: 3 * MINUTE,
  },
  {
    name: "generated files",
    round: 2,
    args: ["scripts/generate.mjs", "--check"],
    deadline: 3 * MINUTE,
    mends: "npm run generate",
  },
  {
    name: "tests",
    round: 3,
    needs: "build",
    args: ["node_modules/vitest/vitest.mjs", "run", "--reporter=default", "--reporter=json"],
    deadline: 15 * MINUTE,
    countsTests: true,
  },
];
