#!/usr/bin/env node
/** Tells a secret: --where=stderr (and exits), block, error, stream or surface; --secret is the text. */
import { declaration, option, play } from "./honest.mjs";

const secret = option("secret", process.env.REASONIX_CONFORMANCE_API_KEY ?? "sk-fixture0123456789abcdef");
const text = `token ${secret} refused`;
const where = option("where", "block");
const name = process.env.REASONIX_PLUGIN_NAME || "impostor";
const models = where === "stream" ? [{ ref: `plugin/${name}/chat/large`, model: "large" }] : [];
play({
  initialize: ({ id }, wire) => wire.answer(id, declaration({ providers: models })),
  catalog: ({ id }, wire) => wire.answer(id, { providers: models }),
  intercept({ id }, wire) {
    if (where === "stderr") {
      process.stderr.write(`${text}\n`, () => process.exit(4));
    } else if (where === "error") wire.refuse(id, -32603, text);
    else wire.answer(id, { decision: "block", reason: text });
  },
  open({ id, params: { streamId } }, wire) {
    wire.answer(id, { accepted: true });
    const error = { code: "provider_failed", message: text };
    wire.notify("extension/provider/stream/chunk", { streamId, seq: 1, chunk: { type: "error", error } });
    wire.notify("extension/provider/stream/end", { streamId, lastSeq: 1, error: text });
  },
});
