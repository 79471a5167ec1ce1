/** Every plugin's FULL TRUST block and what it contributes: `doctor capabilities`. */
import {
  installedContributions,
  listPlugins,
  showPlugin,
  trustText,
  type Contributions,
  type Machine,
  type TrustBlock,
} from "@reasonix-ts/plugins";
import { oneLine } from "@reasonix-ts/text";

export interface PluginCapabilities {
  readonly plugin: string;
  readonly version: string;
  readonly enabled: boolean;
  /** Null for a plugin without a runtime. */
  readonly trust: TrustBlock | null;
  /** As people call them, such as `/<plugin>:<prompt>`. */
  readonly contributions: readonly string[];
}

export async function capabilities(home: string, machine: Machine): Promise<readonly PluginCapabilities[]> {
  const [{ plugins }, contributions] = await Promise.all([listPlugins(home), installedContributions(home)]);
  return Promise.all(
    plugins.map(async ({ name }) => {
      const { version, enabled, trust } = await showPlugin(home, name, machine);
      return { plugin: name, version, enabled, trust, contributions: contributionsOf(name, contributions) };
    }),
  );
}

function contributionsOf(plugin: string, all: Contributions): readonly string[] {
  const own = <T extends { readonly plugin: string }>(items: readonly T[]): readonly T[] =>
    items.filter((item) => item.plugin === plugin);
  return [
    ...own(all.prompts).map(({ name }) => `prompt /${plugin}:${name}`),
    ...own(all.commands).map(({ name }) => `command /${plugin}:${name}`),
    ...own(all.skills).map(({ name }) => `skill /${plugin}:${name}`),
    ...own(all.agents).map(({ name }) => `agent ${name}`),
    ...own(all.hooks).map(({ event, match }) => `hook ${event}, matching ${match ?? "every tool"}`),
    ...own(all.mcpServers).map(({ name }) => `MCP server ${name}`),
    ...own(all.themes).map(({ id }) => `theme plugin:${plugin}:${id}`),
  ].map(oneLine);
}

export function capabilityLines(plugins: readonly PluginCapabilities[]): readonly string[] {
  if (plugins.length === 0) return ["No plugin is installed."];
  return plugins.flatMap(({ plugin, version, enabled, trust, contributions }) => [
    `${plugin} ${version}${enabled ? "" : " (disabled)"}`,
    ...contributions.map((line) => `  ${line}`),
    ...(trust === null
      ? ["  It has no runtime: nothing of it is started."]
      : trustText(trust).map((line) => `  ${line}`)),
  ]);
}
