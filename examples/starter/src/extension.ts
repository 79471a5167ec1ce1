/** Rewrites `starter: X` to `X [rewritten by starter-extension]`, and leaves all other input alone. */
import { defineExtension, next, replace } from "@reasonix-ts/sdk";

const TRIGGER = "starter:";

export const extension = defineExtension({
  name: "starter-extension",
  version: "0.1.0",
  intercept: {
    "input.receive": (payload, { log }) => {
      if (!payload.text.startsWith(TRIGGER)) return next();
      const rest = payload.text.slice(TRIGGER.length).trim();
      log(`rewrote ${payload.text.length} characters of input`);
      return replace({ ...payload, text: `${rest} [rewritten by starter-extension]` });
    },
  },
});
