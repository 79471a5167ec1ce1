/** Tries a sidecar: starts it in a scratch session, does the handshake, stops it, and keeps what was said. */
import { randomUUID } from "node:crypto";
import { createHost } from "@reasonix-ts/host";
import type { LiveTrial, SidecarSpec } from "@reasonix-ts/plugins";
import { decodeTolerant, json, object, oneOf, optional, string } from "@reasonix-ts/protocol";
import { createRedactor } from "@reasonix-ts/text";
import { startPermission } from "./compose.ts";
import { pathsOf } from "./paths.ts";
import { openTrace } from "./trace-file.ts";
import type { World } from "./world.ts";

/** `spec` is that of an enabled plugin. The words are those of a real start, since it is one. */
export async function tryLive(spec: SidecarSpec, { env, cwd }: Pick<World, "env" | "cwd">): Promise<LiveTrial> {
  const startedAt = performance.now();
  const since = (): number => performance.now() - startedAt;
  const lines: { readonly line: string; readonly atMillis: number }[] = [];
  const logged: LiveTrial["frames"][number][] = [];
  const file = openTrace({ env, cwd });
  const boot = await createHost({
    // As a required one, so that its failure is the outcome and not a notice; alone, so that it can need no other.
    specs: [{ ...spec, required: true, requires: [] }],
    permission: await startPermission(pathsOf(env)),
    session: { sessionId: randomUUID(), workspaceRoot: cwd },
    uiHost: "headless",
    environment: env,
    ports: { notice: () => {}, audit: () => {}, askPerson: null, ui: null },
    redact: createRedactor({ environment: env }).redact,
    trace(line) {
      file?.(line);
      if (lines.length < KEPT_FRAMES) lines.push({ line, atMillis: since() });
    },
    debug(line) {
      const text = line.slice(`plugin "${spec.plugin}": `.length);
      if (logged.length < KEPT_FRAMES) logged.push({ direction: "logged", text, atMillis: since() });
    },
  });
  // Before it is stopped: how long a start takes is what is asked.
  const millis = since();
  if (boot.kind === "ready") await boot.host.stop();
  const spoken = lines.map(({ line, atMillis }) => frameOf(line, atMillis));
  const frames = [...spoken, ...logged].sort((left, right) => left.atMillis - right.atMillis);
  return boot.kind === "ready"
    ? {
        ok: true,
        verdict: passedText(
          spec,
          lines.map(({ line }) => line),
        ),
        millis,
        frames,
      }
    : { ok: false, verdict: boot.failures.map(({ message }) => message).join(" "), millis, frames };
}

/** A sidecar may say much after the handshake; people look at the beginning. */
const KEPT_FRAMES = 100;
const KEPT_CHARACTERS = 4_000;

/** Names are labels and no fault where they differ; but who reads logs by them should know. */
function passedText({ plugin, version }: SidecarSpec, lines: readonly string[]): string {
  const passed = "It started and answered the handshake as its manifest says.";
  const answer = lines.map((line) => decodeTolerant(Answer, JSON.parse(line))).find(({ ok }) => ok);
  if (answer?.ok !== true) return passed;
  const said = answer.value.frame.result;
  if (said.name === plugin && said.version === version) return passed;
  return `${passed} There it calls itself ${said.name} ${said.version}, and is installed as ${plugin} ${version}.`;
}

const Answer = object({
  direction: oneOf(["in"]),
  frame: object({ result: object({ name: string, version: string, protocolVersion: string }) }),
});

const TraceLine = object({ direction: oneOf(["in", "out"]), frame: optional(json), text: optional(string) });

/** From a line of the host's trace, which is redacted. */
function frameOf(line: string, atMillis: number): LiveTrial["frames"][number] {
  const decoded = decodeTolerant(TraceLine, JSON.parse(line));
  if (!decoded.ok) throw new Error(`The host traced a line of an unknown shape: ${line.slice(0, 200)}`);
  const { direction, frame, text } = decoded.value;
  const whole = text ?? JSON.stringify(frame);
  const more = whole.length - KEPT_CHARACTERS;
  return {
    direction: direction === "in" ? "received" : "sent",
    text: more > 0 ? `${whole.slice(0, KEPT_CHARACTERS)}… (${more} more characters)` : whole,
    atMillis,
  };
}
