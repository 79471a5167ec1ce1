/** A host with sidecars of the SDK, for the soak and for the host that it kills. */
import { fileURLToPath } from "node:url";
import { createHost, mintStartPermission } from "../../packages/host/dist/index.js";
export { processIsAlive as isAlive } from "../../packages/process/dist/index.js";

const folder = fileURLToPath(new URL(".", import.meta.url));

export const NAMES = ["one", "two"];

export const specs = NAMES.map((plugin) => ({
  plugin,
  version: "1.0.0",
  source: folder,
  root: folder,
  command: process.execPath,
  args: [`${folder}sidecar.mjs`],
  env: { REASONIX_PLUGIN_NAME: plugin },
  required: true,
  priority: 0,
  timeoutMillis: 60_000,
  intercepts: ["tool.before"],
  replaces: [],
  capabilities: ["interceptors", "providers", "ui"],
  tools: [],
  requires: [],
  provides: [],
}));

/** `told` hears every notice that is more than information. */
export async function bootHost(told) {
  const { NODE_EXTRA_CA_CERTS: _slowStart, ...environment } = process.env;
  let surfaces = 0;
  const boot = await createHost({
    specs,
    permission: mintStartPermission("a soak"),
    session: { sessionId: "soak", workspaceRoot: folder },
    uiHost: "headless",
    environment,
    ports: {
      notice: (notice) => {
        if (notice.severity !== "info") told(notice);
      },
      audit: () => {},
      askPerson: null,
      ui: { show: () => (surfaces += 1), ask: () => Promise.resolve({ kind: "cancelled" }) },
    },
  });
  if (boot.kind === "failed") throw new Error(boot.failures.map(({ message }) => message).join("\n"));
  return { host: boot.host, surfaces: () => surfaces };
}

export function pidsOf(host) {
  return host.diagnostics().plugins.flatMap(({ pid }) => (pid === null ? [] : [pid]));
}
