#!/usr/bin/env node
/** Sends before extension/initialized: a request with its declaration (--what=request) or a notification. */
import { declaration, option, play } from "./honest.mjs";

const surface = { surfaceId: "s", kind: "status", payload: { label: "early" } };
play({
  initialize({ id, params: { session } }, wire) {
    wire.answer(id, declaration());
    const params = { ...surface, sessionId: session.sessionId, generation: session.generation };
    if (option("what", "request") === "request") wire.send({ id: 1, method: "host/ui/publish", params });
    else wire.notify("extension/provider/stream/end", { streamId: "s", lastSeq: 0 });
  },
});
