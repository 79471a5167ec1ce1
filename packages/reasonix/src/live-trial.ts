/** Tries a sidecar: starts it in a scratch session, does the handshake, and stops it. */
import { randomUUID } from "node:crypto";
import { createHost } from "@reasonix-ts/host";
import type { LiveTrial, SidecarSpec } from "@reasonix-ts/plugins";
import { createRedactor } from "@reasonix-ts/text";
import { startPermission } from "./compose.ts";
import { pathsOf } from "./paths.ts";
import type { World } from "./world.ts";

/** `spec` is that of an enabled plugin. The words are those of a real start, since it is one. */
export async function tryLive(spec: SidecarSpec, { env, cwd }: Pick<World, "env" | "cwd">): Promise<LiveTrial> {
  const startedAt = performance.now();
  const boot = await createHost({
    // As a required one, so that its failure is the outcome and not a notice.
    specs: [{ ...spec, required: true }],
    permission: await startPermission(pathsOf(env)),
    session: { sessionId: randomUUID(), workspaceRoot: cwd },
    uiHost: "headless",
    environment: env,
    ports: { notice: () => {}, audit: () => {}, askPerson: null, ui: null },
    redact: createRedactor({ environment: env }).redact,
  });
  const millis = performance.now() - startedAt;
  if (boot.kind === "failed") {
    return { ok: false, verdict: boot.failures.map(({ message }) => message).join(" "), millis, frames: [] };
  }
  await boot.host.stop();
  return { ok: true, verdict: "It started and answered the handshake as its manifest says.", millis, frames: [] };
}
