/** Finds the models of a server during the handshake, and streams their answers. */
import { defineExtension, type Extension, type Provider } from "@reasonix-ts/sdk";
import { partsOf } from "./completion.ts";
import { eventsOf } from "./event-stream.ts";
import { completionBody } from "./request.ts";
import { listModels, openCompletion, type Server } from "./server.ts";

export interface Settings extends Server {
  /** Of every model, in tokens: servers do not tell. */
  readonly contextWindow: number;
}

export function localModel(settings: Settings): Extension {
  return defineExtension({
    name: "local-model",
    version: "0.1.0",
    providers: async () => (await listModels(settings)).map((id) => provider(id, settings)),
  });
}

function provider(id: string, settings: Settings): Provider {
  return {
    descriptor: {
      ref: `server/${segments(id)}`,
      displayName: id,
      contextWindow: settings.contextWindow,
      inputPerMillion: 0,
      outputPerMillion: 0,
      tools: true,
      reasoning: true,
    },
    async *stream(request, { signal }) {
      const body = await openCompletion(settings, completionBody(id, request), signal);
      yield* partsOf(eventsOf(body));
    },
  };
}

/** Ids may be paths of files; a reference has no empty segment. */
function segments(id: string): string {
  return id.split("/").filter(Boolean).join("/");
}
