#!/usr/bin/env node
/** An extension that uses what there is: it rules, observes, offers a model and publishes a surface. */
import { defineExtension, next, serve } from "../../sdk/typescript/dist/index.js";

serve(
  defineExtension({
    name: process.env.REASONIX_PLUGIN_NAME,
    version: "1.0.0",
    intercept: { "tool.before": () => next() },
    observe: {
      "tool.before": (_payload, { ui }) => ui.status("load", { label: "asked" }).then(() => {}),
    },
    providers: [
      {
        descriptor: { ref: "soak/model" },
        async *stream() {
          for (let index = 0; index < 200; index++) yield { type: "text", text: `token ${index} ` };
        },
      },
    ],
  }),
);
