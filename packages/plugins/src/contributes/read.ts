/** Reads all contributions of one package. */
import type { Package } from "../package/package.ts";
import type { ContributionProblem, Contributions, Note } from "./contribution.ts";
import { readHooks } from "./hooks.ts";
import { readServers } from "./mcp.ts";
import { readSkills } from "./skills.ts";
import { readAgents, readTemplates } from "./templates.ts";
import { readThemes } from "./themes.ts";

/** `plugin` is the name it is installed under. Nothing outside the package's root is read, and nothing is started. */
export async function readContributions(plugin: string, found: Package): Promise<Contributions> {
  const { root, resources } = found;
  const problems: ContributionProblem[] = [];
  const note: Note = (entry, problem, severity = "error") => problems.push({ plugin, entry, problem, severity });
  const [skills, agents, commands, prompts, hooks, themes] = await Promise.all([
    readSkills(plugin, root, resources.skills, note),
    readAgents(plugin, root, resources.agents, note),
    readTemplates(plugin, root, resources.commands, note),
    readTemplates(plugin, root, resources.prompts, note),
    readHooks(plugin, root, resources.hooks, found.kind === "reasonix" ? "reasonix" : "claude", note),
    readThemes(plugin, root, resources.themes, note),
  ]);
  const mcpServers = readServers(plugin, root, resources.mcpServers, note);
  return { skills, agents, commands, prompts, hooks, mcpServers, themes, problems };
}
