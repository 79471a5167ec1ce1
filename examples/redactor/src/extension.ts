/** Masks secrets in what goes to the model, and puts them back in what comes from it, tool calls included. */
import { defineExtension, next, replace, type Extension } from "@reasonix-ts/sdk";
import { Masks } from "./masks.ts";

export function redactor(): Extension {
  /** Agent → the secrets of its request that is under way; sub-agents ask at the same time. */
  const underWay = new Map<string, Masks>();
  return defineExtension({
    name: "redactor",
    version: "0.1.0",
    intercept: {
      "provider.request": (payload, { meta, log }) => {
        const masks = new Masks();
        const messages = payload.request.messages.map((message) => masks.hideInMessage(message));
        underWay.set(meta.agent ?? "main", masks);
        if (masks.size === 0) return next();
        log(`masked ${masks.size} secrets`);
        return replace({ ...payload, request: { ...payload.request, messages } });
      },
      "provider.response": (payload, { meta }) => {
        const agent = meta.agent ?? "main";
        const masks = underWay.get(agent);
        underWay.delete(agent);
        if (masks === undefined || masks.size === 0) return next();
        const { text, calls } = payload;
        return replace({
          ...payload,
          ...(text === undefined ? {} : { text: masks.restore(text) }),
          ...(calls === undefined
            ? {}
            : { calls: calls.map((call) => ({ ...call, arguments: masks.restore(call.arguments) })) }),
        });
      },
    },
  });
}
