/** What a session is told about how to work, made of all configuration. */
import {
  DEFAULT_LIMITS,
  parseRules,
  sessionSettings,
  type Rule,
  type RuleSet,
  type SessionSettings,
} from "@reasonix-ts/agent";
import type { Settings } from "./config.ts";
import { CommandError } from "./world.ts";

export interface Surroundings {
  readonly model: string;
  /** Rules granted for always in this workspace. */
  readonly granted: readonly string[];
  readonly keepRules: (rules: readonly string[]) => Promise<void>;
  readonly addedDirs: readonly string[];
  /** The home: tools change nothing in it unasked. */
  readonly home: string;
  readonly configFile: string;
}

export function agentSettings(settings: Settings, around: Surroundings): SessionSettings {
  const { rules, granted } = rulesOf(settings, around);
  return sessionSettings(around.model, {
    effort: settings.effort,
    permissions: {
      mode: settings.permissionMode,
      approvals: settings.approvals,
      rules,
      granted,
      addedDirs: around.addedDirs,
      protectedPaths: [around.home],
      network: settings.network,
      keepRules: around.keepRules,
    },
    limits: {
      ...DEFAULT_LIMITS,
      ...(settings.maxSteps === null ? {} : { maxSteps: settings.maxSteps }),
      ...(settings.maxCost === null ? {} : { maxCost: settings.maxCost }),
    },
    instructions: settings.instructions.join("\n\n"),
    fetchAllow: settings.fetchAllow,
  });
}

function rulesOf(
  settings: Settings,
  { granted, configFile }: Surroundings,
): { readonly rules: RuleSet; readonly granted: readonly Rule[] } {
  const grants = parseRules(granted);
  const allow = parseRules(settings.rules.allow);
  const ask = parseRules(settings.rules.ask);
  const deny = parseRules(settings.rules.deny);
  const problems = [...grants.problems, ...allow.problems, ...ask.problems, ...deny.problems];
  if (problems.length > 0) {
    // A deny rule that is not understood must not be dropped: the start is refused instead.
    throw new CommandError(`${problems.join(" ")} Mend the rule in ${configFile} or in the project's reasonix.toml.`);
  }
  return { rules: { allow: allow.rules, ask: ask.rules, deny: deny.rules }, granted: grants.rules };
}
