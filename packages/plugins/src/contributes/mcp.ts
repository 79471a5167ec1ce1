/** MCP servers, with the plugin's root put in. */
import path from "node:path";
import type { McpServerEntry, Resources } from "../manifest/shape.ts";
import type { McpServer, Note } from "./contribution.ts";
import { expandPlain } from "./root-variables.ts";

export function readServers(
  plugin: string,
  root: string,
  declared: Resources["mcpServers"],
  note: Note,
): readonly McpServer[] {
  const servers: McpServer[] = [];
  for (const [name, entry] of Object.entries(declared)) {
    const server = expanded(entry, root);
    if (typeof server === "string") note(`mcpServers/${name}`, server);
    else servers.push({ plugin, name, server, root });
  }
  return servers;
}

function expanded(entry: McpServerEntry, root: string): McpServerEntry | string {
  if (entry.type === "stdio") {
    const command = programOf(expandPlain(entry.command, root), root);
    if (command === null) return `the command ${JSON.stringify(entry.command)} leads out of the plugin`;
    return {
      type: entry.type,
      command,
      args: entry.args.map((arg) => expandPlain(arg, root)),
      env: values(entry.env, root),
    };
  }
  const url = expandPlain(entry.url, root);
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return `${JSON.stringify(entry.url)} is no http or https address`;
  return { type: entry.type, url, headers: values(entry.headers, root) };
}

/** A path with a slash is a file of the plugin; a bare name such as npx is looked up in PATH. */
function programOf(command: string, root: string): string | null {
  if (path.isAbsolute(command) || /^[A-Za-z]:[\\/]/.test(command) || !command.includes("/")) return command;
  const place = path.join(root, command);
  return place.startsWith(root + path.sep) ? place : null;
}

function values(variables: { readonly [name: string]: string }, root: string): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, expandPlain(value, root)]));
}
