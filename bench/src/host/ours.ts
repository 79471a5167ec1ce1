/** Our side: a real host with the bare program as its sidecars. */
import { createHost, mintStartPermission, type Host, type SidecarSpec } from "@reasonix-ts/host";
import { CHILD, type ChildOptions } from "./child.ts";

/** A sidecar that counts events when its tool is called: `{until}` is answered once so many have come. */
export function benchSpec(
  plugin: string,
  options: ChildOptions,
  more: Partial<SidecarSpec> = {},
  environment: { readonly [name: string]: string } = {},
): SidecarSpec {
  const program = process.argv[1] ?? "";
  return {
    plugin,
    version: "1.0.0",
    source: "bench",
    root: process.cwd(),
    command: process.execPath,
    args: [program],
    required: true,
    priority: 0,
    timeoutMillis: 60_000,
    intercepts: [],
    replaces: [],
    capabilities: ["interceptors", "providers", "tools"],
    tools: [{ name: "count", description: "Waits for events.", inputSchema: {}, readOnly: true }],
    requires: [],
    provides: [],
    ...more,
    env: { [CHILD]: JSON.stringify(options), ...environment },
  };
}

export async function startHost(specs: readonly SidecarSpec[]): Promise<Host> {
  const boot = await createHost({
    specs,
    permission: mintStartPermission("a benchmark"),
    session: { sessionId: "bench", workspaceRoot: process.cwd() },
    uiHost: "headless",
    environment: process.env,
    ports: { notice: () => {}, audit: () => {}, askPerson: null, ui: null },
  });
  if (boot.kind === "failed") throw new Error(boot.failures.map(({ message }) => message).join("\n"));
  return boot.host;
}
