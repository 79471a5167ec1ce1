/** A release bot: it asks its extensions before it runs a step. It starts two, is ruled on, reloads, stops. */
import { fileURLToPath } from "node:url";
import { createHost, mintStartPermission } from "@reasonix-ts/host";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** What the host needs to know of an extension; a program that keeps plugins would read this from their manifests. */
const spec = (plugin, role, priority) => ({
  plugin,
  version: "1.0.0",
  source: folder,
  root: folder,
  command: process.execPath,
  args: [`${folder}sidecar.mjs`, role],
  env: {},
  required: role === "guard",
  priority,
  timeoutMillis: 0,
  intercepts: ["tool.before"],
  replaces: [],
  capabilities: ["interceptors"],
  tools: [],
  requires: [],
  provides: [],
});

const specs = [spec("dry-run", "dry-run", -10), spec("office-hours", "guard", 0)];
const boot = await createHost({
  specs,
  permission: mintStartPermission("the extensions of this example"),
  session: { sessionId: "release-42", workspaceRoot: folder },
  uiHost: "headless",
  environment: process.env,
  ports: { notice: ({ text }) => console.error(text), audit: () => {}, askPerson: null, ui: null },
});
if (boot.kind === "failed") throw new Error(boot.failures.map(({ message }) => message).join("\n"));
const { host } = boot;

async function ask(step, args) {
  const lease = host.lease();
  const ruling = await lease.rule(
    "tool.before",
    { name: step, arguments: JSON.stringify(args) },
    { agent: "release-bot" },
  );
  lease.release();
  if (ruling.kind === "proceed")
    console.log(`${step}: go with ${ruling.payload.arguments} (${ruling.changedBy.join()})`);
  else console.log(`${step}: ${ruling.kind} by ${ruling.plugin}: ${ruling.reason}`);
}

await ask("publish", { package: "acme" });
await ask("drop_database", { name: "acme" });
const { generation, plugins } = await host.reload({ specs });
console.log(
  `generation ${generation}: ${plugins.filter(({ oldPid, newPid }) => oldPid !== newPid).length} started anew`,
);
await ask("publish", { package: "acme" });
await host.stop();
