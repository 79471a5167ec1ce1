/** Owns the slot `system_prompt`: the host's prompt, then the rules of the house. */
import { defineExtension, replace } from "@reasonix-ts/sdk";
import { HOUSE_RULES } from "./rules.ts";

export const extension = defineExtension({
  name: "prompt-owner",
  version: "0.1.0",
  replace: {
    system_prompt: {
      "system_prompt.build": (payload) => replace({ ...payload, prompt: `${payload.prompt}\n\n${HOUSE_RULES}` }),
    },
  },
});
