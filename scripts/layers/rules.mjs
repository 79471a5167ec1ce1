/** THE table of arrows: which workspace package may import which, and what of Node each may touch. */

/** Node built-ins that start processes; only `packages/process` does that for the others. */
const STARTERS = ["child_process", "cluster"];

const any = { only: null, never: [] };
const none = { only: [], never: [] };
const noStarters = { only: null, never: STARTERS };

/**
 * For each workspace folder (or `folder/*`): `imports`, the workspace packages that its sources may import
 * (null: any); `builtins`, which Node built-ins (`only` null: any but `never`), with `builtinFolders` that are free;
 * `environment`, the paths below the folder that may read `process.env` and `process.argv` (true: all of them);
 * `bundled`, whether sources may import development dependencies, because a bundler takes them in;
 * `refereed`, for folders of tests, the siblings that they may start.
 */
const RULES = {
  "packages/protocol": { imports: [], builtins: none },
  "packages/rpc": { imports: [], builtins: none, builtinFolders: ["src/node/"] },
  "packages/events": { imports: ["protocol"], builtins: none },
  // A program that is started inherits the environment when it is given none, as everywhere in Node.
  "packages/process": { imports: [], builtins: any, environment: true },
  "packages/files": { imports: [], builtins: noStarters },
  "packages/text": { imports: [], builtins: none },
  "packages/host": { imports: ["protocol", "rpc", "process", "text"], builtins: noStarters },
  "packages/plugins": { imports: ["protocol", "process", "files", "text"], builtins: noStarters },
  "packages/agent": { imports: ["protocol", "events", "process", "files", "text"], builtins: noStarters },
  "packages/conformance": {
    imports: ["protocol"],
    builtins: any,
    environment: ["src/main.ts", "src/command.ts", "src/command/"],
    refereed: { "test/host/": ["host"] },
  },
  "packages/web": { imports: ["events"], builtins: none, bundled: true },
  "packages/reasonix": {
    imports: ["protocol", "rpc", "events", "process", "files", "text", "host", "plugins", "agent"],
    builtins: noStarters,
    environment: true,
  },
  "sdk/typescript": {
    imports: ["protocol", "rpc"],
    builtins: any,
    environment: ["src/serve.ts", "src/early-guard.ts"],
    bundled: true,
  },
  // A program around the host, where the others are extensions.
  "examples/embed-host": { imports: ["host"], builtins: any, environment: true },
  "examples/*": { imports: ["sdk"], builtins: any, environment: true, bundled: true },
  bench: { imports: null, builtins: any, environment: true, bundled: true },
  interop: { imports: null, builtins: any, environment: true, bundled: true },
};

/** Packages that never import one another, in tests neither, but for what a referee is there to judge: each stands alone. */
export const SIBLINGS = ["host", "plugins", "agent", "conformance"];

/** The rule for a workspace folder, or null for one that the table does not know. */
export function ruleFor(folder) {
  return RULES[folder] ?? RULES[folder.replace(/\/[^/]+$/, "/*")] ?? null;
}
