/** Joins an extension to a connection: every method that a host may call is served from here. */
import {
  PROTOCOL_MAJOR,
  PROTOCOL_VERSION,
  ResourcesChangedParams,
  type InitializeResult,
  type UiHost,
} from "@reasonix-ts/protocol";
import type { Peer } from "@reasonix-ts/rpc";
import { serveActions } from "./actions.ts";
import { Catalogue } from "./catalogue.ts";
import type { Session } from "./context.ts";
import { declare } from "./declaration.ts";
import type { Extension } from "./define.ts";
import { failure } from "./failure.ts";
import { serveIntercepts } from "./intercepts.ts";
import { LinkContext } from "./link-context.ts";
import { Link, type Surroundings } from "./link.ts";
import { messageOf } from "./log.ts";
import { Observers } from "./observers.ts";
import { serveStreams } from "./streams.ts";
import { serveTools } from "./tools.ts";
import { Hello, readParams } from "./wire.ts";

export function attach(peer: Peer, extension: Extension, surroundings: Surroundings): Link {
  const link = new Link(peer, extension, surroundings);
  const catalogue = new Catalogue();
  serveHandshake(link, catalogue);
  serveIntercepts(link, new Observers(link));
  serveStreams(link, catalogue);
  serveTools(link);
  serveActions(link);
  serveResources(link);
  return link;
}

function serveHandshake(link: Link, catalogue: Catalogue): void {
  link.peer.onRequest("extension/initialize", (raw) => {
    const hello = readParams("extension/initialize", Hello, raw);
    if (Number.parseInt(hello.protocolVersion, 10) !== PROTOCOL_MAJOR) {
      const came = `the host speaks protocol version ${JSON.stringify(hello.protocolVersion)}`;
      throw failure("unsupported_version", `${came}, this extension ${JSON.stringify(PROTOCOL_VERSION)}`);
    }
    const session = sessionOf(hello);
    link.greet(session);
    const loading = catalogue.load(link, session);
    return loading === null ? answer() : loading.then(answer);

    function answer(): InitializeResult {
      const { result, warnings } = declare(link.extension, catalogue.descriptors, hello.manifest);
      for (const warning of warnings) link.log(warning);
      return result;
    }
  });

  link.peer.onNotification("extension/initialized", () => {
    link.open();
    const { onStart } = link.extension;
    if (onStart !== undefined) link.start(async () => await onStart(new LinkContext(link)));
  });
}

function sessionOf({ session, capabilities }: Hello): Session {
  const { sessionId, workspaceRoot, generation, epoch } = session;
  const uiHost: UiHost = capabilities.uiHost ?? "headless";
  return { sessionId, workspaceRoot, generation, uiHost, ...(epoch === undefined ? {} : { epoch }) };
}

function serveResources(link: Link): void {
  const { onResourcesChanged } = link.extension;
  if (onResourcesChanged === undefined) return;
  link.peer.onNotification("extension/resources/changed", async (raw) => {
    const { paths } = readParams("extension/resources/changed", ResourcesChangedParams, raw);
    try {
      await link.starting;
      await onResourcesChanged(paths, new LinkContext(link));
    } catch (error) {
      link.log(`onResourcesChanged failed: ${messageOf(error)}`, error);
    }
  });
}
