/** What a package would start or reach by declaration alone: its hooks and MCP servers (pure). */
import { redactSecrets } from "@reasonix-ts/text";
import { reachesEveryTool } from "../manifest/hook-fields.ts";
import type { Package } from "./package.ts";

export interface Program {
  /** `hook PreToolUse for bash`, `MCP server docs`. */
  readonly occasion: string;
  /** The command line or address as it is written, secrets taken out. */
  readonly target: string;
}

/** They run with the host's normal permissions, and a person should see them before they are installed. */
export function programsOf({ resources }: Pick<Package, "resources">): readonly Program[] {
  const hooks = Object.entries(resources.hooks).flatMap(([event, entries]) =>
    entries.map((hook): Program => {
      const reach = reachesEveryTool(hook.match) ? "" : ` for ${hook.match}`;
      const target =
        hook.contextFile === undefined ? line(hook.command ?? "", hook.args ?? []) : `adds ${hook.contextFile}`;
      return { occasion: `hook ${event}${reach}`, target };
    }),
  );
  const servers = Object.entries(resources.mcpServers).map(([name, server]): Program => ({
    occasion: `MCP server ${name}`,
    target: server.type === "stdio" ? line(server.command, server.args) : redactSecrets(server.url),
  }));
  return [...hooks, ...servers];
}

function line(command: string, args: readonly string[]): string {
  return redactSecrets([command, ...args].join(" "));
}
