/** THE table of what `reasonix plugin` can do: each verb's usage and the options that it knows. */
import { JSON_OPTION, type OptionTable } from "../args.ts";
import type { VerbRow } from "./row.ts";

const DRY_RUN = {
  "dry-run": { type: "boolean", summary: "show what would change, and change nothing" },
} as const satisfies OptionTable;

const CONSENT = {
  ...DRY_RUN,
  yes: { type: "boolean", short: "y", summary: "do it: this is the authorization" },
} as const satisfies OptionTable;

export const PLUGIN_VERBS: readonly VerbRow[] = [
  {
    name: "install",
    usages: ["<source>"],
    summary: "install from a folder, git:host/owner/repo[@ref], a tarball, or npm:<name>",
    options: {
      ...CONSENT,
      link: { type: "boolean", summary: "use a folder where it lies; its changes are trusted as they come" },
      replace: { type: "boolean", summary: "replace an installed plugin of that name" },
      name: { type: "string", value: "<name>", summary: "install under another name" },
      ...JSON_OPTION,
    },
  },
  {
    name: "update",
    usages: ["[<name> …]"],
    summary: "fetch copied plugins anew from where they came; without a name, all of them",
    options: { ...CONSENT, ...JSON_OPTION },
  },
  { name: "list", usages: [""], summary: "what is installed", options: JSON_OPTION },
  {
    name: "show",
    usages: ["<name>"],
    summary: "one plugin in full, with what it is trusted to do",
    options: JSON_OPTION,
  },
  {
    name: "doctor",
    usages: ["[<name> …]"],
    summary: "check installed plugins, with a next step for each finding",
    options: {
      live: {
        type: "boolean",
        summary: "start each runtime in a scratch session, tell each frame and its time, and stop it",
      },
      ...JSON_OPTION,
    },
  },
  {
    name: "enable",
    usages: ["<name>"],
    summary: "use a plugin again, from the next session or reload on",
    options: { ...DRY_RUN, ...JSON_OPTION },
  },
  {
    name: "disable",
    usages: ["<name>"],
    summary: "keep a plugin and do not use it, from the next session or reload on",
    options: { ...DRY_RUN, ...JSON_OPTION },
  },
  {
    name: "remove",
    aliases: ["uninstall"],
    usages: ["<name>"],
    summary: "remove a plugin: its copy and the variables that were set for it; a linked folder stays",
    options: { ...DRY_RUN, ...JSON_OPTION },
  },
  {
    name: "env",
    usages: ["<name> [list]", "<name> set KEY", "<name> unset KEY"],
    summary:
      "names of the variables that one plugin alone gets; `set` asks for the value, or reads it from standard input",
    options: JSON_OPTION,
  },
  {
    name: "upgrade-manifest",
    usages: ["<folder>"],
    summary: "print the v2 text of an older manifest, to review and save",
    options: JSON_OPTION,
  },
];
