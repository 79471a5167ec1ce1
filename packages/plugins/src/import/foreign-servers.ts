/** Translates `.mcp.json` and its like; servers that cannot be understood are listed (pure). */
import type { McpServerEntry } from "../manifest/shape.ts";
import type { Skipped } from "../package/package.ts";
import { membersOf, textOf, variablesOf } from "../manifest/members.ts";

export interface ImportedServers {
  readonly servers: { readonly [name: string]: McpServerEntry };
  readonly skipped: readonly Skipped[];
}

/** The value is `{mcpServers: {…}}` or the servers themselves. */
export function foreignServers(value: unknown, file: string): ImportedServers {
  const root = membersOf(value);
  const list = root === null ? null : (membersOf(root["mcpServers"]) ?? root);
  if (list === null) return { servers: {}, skipped: [{ entry: file, reason: "it holds no JSON object" }] };
  const servers = new Map<string, McpServerEntry>();
  const skipped: Skipped[] = [];
  for (const [name, fields] of Object.entries(list)) {
    const entry = serverOf(fields);
    if (typeof entry === "string") skipped.push({ entry: `${file}#/${name}`, reason: entry });
    else servers.set(name, entry);
  }
  return { servers: Object.fromEntries(servers), skipped };
}

function serverOf(value: unknown): McpServerEntry | string {
  const fields = membersOf(value);
  if (fields === null) return "it is no object";
  const written = textOf(fields["type"]) || textOf(fields["transport"]);
  const type = TYPES.get(written || (fields["url"] === undefined ? "stdio" : "http"));
  if (type === undefined) return `servers of type ${JSON.stringify(written)} are not reached here`;
  if (type === "stdio") {
    const command = textOf(fields["command"]);
    if (command === "") return "it has no command";
    const args = Array.isArray(fields["args"]) ? fields["args"].filter((arg) => typeof arg === "string") : [];
    return { type, command, args, env: variablesOf(fields["env"]) };
  }
  const url = textOf(fields["url"]);
  return url === "" ? "it has no url" : { type, url, headers: variablesOf(fields["headers"]) };
}

const TYPES = new Map<string, McpServerEntry["type"]>([
  ["stdio", "stdio"],
  ["local", "stdio"],
  ["http", "http"],
  ["streamable-http", "http"],
  ["streamableHttp", "http"],
  ["remote", "http"],
  ["sse", "sse"],
]);
