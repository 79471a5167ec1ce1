#!/usr/bin/env node
/**
 * Sends before extension/initialized: a request (--what=request) or a notification, before its declaration
 * or right after it (--after).
 */
import { declaration, option, play } from "./honest.mjs";

const surface = { surfaceId: "s", kind: "status", payload: { label: "early" } };
play({
  initialize({ id, params: { session } }, wire) {
    const params = { ...surface, sessionId: session.sessionId, generation: session.generation };
    const early = () => {
      if (option("what", "request") === "request") wire.send({ id: 1, method: "host/ui/publish", params });
      else wire.notify("extension/provider/stream/end", { streamId: "s", lastSeq: 0 });
    };
    if (!process.argv.includes("--after")) early();
    wire.answer(id, declaration());
    if (process.argv.includes("--after")) early();
  },
});
