/** The contributions of all enabled plugins together. */
import { absoluteRoot, layoutOf } from "../disk/layout.ts";
import { readRegistry } from "../disk/registry.ts";
import type { Contributions, ContributionProblem } from "./contribution.ts";

/** Of every enabled plugin, by name; with none, no further module is loaded. A plugin whose manifest cannot be used is a problem, and the others are read. */
export async function installedContributions(home: string): Promise<Contributions> {
  const layout = layoutOf(home);
  const registry = await readRegistry(layout);
  if (registry.broken !== null) return { ...NONE, problems: [listProblem(registry.broken)] };
  const enabled = registry.rows.filter((row) => row.enabled);
  if (enabled.length === 0) return NONE;
  const [{ readContributions }, { loadPackage }] = await Promise.all([
    import("./read.ts"),
    import("../package/load.ts"),
  ]);
  const all = await Promise.all(
    enabled.map(async (row): Promise<Contributions> => {
      const loaded = await loadPackage(absoluteRoot(layout, row.root));
      if (loaded.ok) return readContributions(row.name, loaded.package);
      const problem = {
        plugin: row.name,
        entry: loaded.file,
        problem: loaded.problems.join(" "),
        severity: "error",
      } as const;
      return { ...NONE, problems: [problem] };
    }),
  );
  return all.reduce(join, NONE);
}

const NONE: Contributions = {
  skills: [],
  agents: [],
  commands: [],
  prompts: [],
  hooks: [],
  mcpServers: [],
  themes: [],
  problems: [],
};

function join(a: Contributions, b: Contributions): Contributions {
  return {
    skills: [...a.skills, ...b.skills],
    agents: [...a.agents, ...b.agents],
    commands: [...a.commands, ...b.commands],
    prompts: [...a.prompts, ...b.prompts],
    hooks: [...a.hooks, ...b.hooks],
    mcpServers: [...a.mcpServers, ...b.mcpServers],
    themes: [...a.themes, ...b.themes],
    problems: [...a.problems, ...b.problems],
  };
}

function listProblem(problem: string): ContributionProblem {
  return { plugin: "", entry: "plugin-packages.json", problem, severity: "error" };
}
