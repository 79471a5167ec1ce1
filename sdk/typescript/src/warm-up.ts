/** Runs the code that serves an intercept a few times before the first real one comes, which is then as quick as later ones. */
import { PROTOCOL_ID, PROTOCOL_VERSION } from "@reasonix-ts/protocol";
import { createPair } from "@reasonix-ts/rpc";
import { attach } from "./attach.ts";
import { next, replace } from "./decisions.ts";
import type { Extension } from "./define.ts";

/** Rules on nothing: the author's handlers are not touched. */
const REHEARSAL: Extension = {
  name: "rehearsal",
  version: "0.0.0",
  intercept: {
    "input.receive": (payload) => replace({ ...payload, text: payload.text }),
    "tool.before": async () => next(),
  },
};

const SLICES = 8;
const CALLS_A_SLICE = 12;

/** Between slices real frames are read; `isWanted` false ends it. Never rejects. */
export async function warmUp(isWanted: () => boolean): Promise<void> {
  const { left: host, right } = createPair();
  attach(right, REHEARSAL, { pluginName: "rehearsal", log: () => {}, redact: (text) => text });
  try {
    await host.request("extension/initialize", {
      protocolId: PROTOCOL_ID,
      protocolVersion: PROTOCOL_VERSION,
      manifest: {},
      session: { sessionId: "rehearsal", workspaceRoot: "/", generation: 1 },
      capabilities: { contentRefs: true, protocolVersion: PROTOCOL_VERSION, uiHost: "headless" },
    });
    host.notify("extension/initialized", {});
    for (let slice = 0; slice < SLICES && isWanted(); slice++) {
      for (let call = 0; call < CALLS_A_SLICE; call++) await host.request("extension/intercept", frame(call));
      await new Promise(setImmediate);
    }
  } catch {
    // Only a rehearsal: what is wrong here shows in the first real call, with its error.
  } finally {
    host.close();
  }
}

function frame(call: number): object {
  const timeoutMillis = 5_000;
  return call % 2 === 0
    ? { event: "input.receive", seq: call + 1, payload: { text: "rehearse this" }, timeoutMillis }
    : { event: "tool.before", seq: call + 1, payload: { name: "bash", arguments: "{}" }, timeoutMillis };
}
