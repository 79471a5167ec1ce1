/** The first frames of a connection and the last: what the manifest expects, what the sidecar declares. */
import { UIActionDecl } from "./ui.ts";
import { ProviderDescriptor } from "./provider.ts";
import { object, optional } from "./object-schema.ts";
import { boolean, integer, json, list, named, nonEmpty, oneOf, string, type Infer } from "./schema.ts";

/** Where a host shows surfaces. */
export const UI_HOSTS = ["acp", "desktop", "headless", "tui"] as const;
export type UiHost = (typeof UI_HOSTS)[number];

const strings = optional(list(string));

export const CapabilityWire = named(
  "CapabilityWire",
  object({
    namespace: nonEmpty,
    kind: nonEmpty,
    id: nonEmpty,
    version: optional(string),
    schemaHash: optional(string),
  }),
);
/** Something that a component provides to others. */
export type CapabilityWire = Infer<typeof CapabilityWire>;

export const RequirementWire = named(
  "RequirementWire",
  object({
    namespace: nonEmpty,
    kind: nonEmpty,
    id: nonEmpty,
    version: optional(string),
    versionRange: optional(string),
    schemaHash: optional(string),
    optional: optional(boolean),
  }),
);
/** Something that a component needs from another. */
export type RequirementWire = Infer<typeof RequirementWire>;

export const ManifestExpectation = named(
  "ManifestExpectation",
  object({
    intercepts: strings,
    replaces: strings,
    providers: strings,
    uiActions: strings,
    capabilities: strings,
    tools: strings,
    requires: optional(list(RequirementWire)),
    provides: optional(list(CapabilityWire)),
  }),
);
export type ManifestExpectation = Infer<typeof ManifestExpectation>;

export const SessionContext = named(
  "SessionContext",
  object({ sessionId: nonEmpty, workspaceRoot: nonEmpty, generation: integer(), epoch: optional(string) }),
);
export type SessionContext = Infer<typeof SessionContext>;

export const HostCapabilities = named(
  "HostCapabilities",
  object({
    contentRefs: boolean,
    protocolVersion: nonEmpty,
    uiHost: oneOf(UI_HOSTS),
    dependencySchemaVersion: optional(integer({ min: 0 })),
  }),
);
export type HostCapabilities = Infer<typeof HostCapabilities>;

export const InitializeParams = named(
  "InitializeParams",
  object({
    protocolId: nonEmpty,
    protocolVersion: nonEmpty,
    manifest: ManifestExpectation,
    session: SessionContext,
    capabilities: HostCapabilities,
    dependencySchemaVersion: optional(integer({ min: 0 })),
  }),
);
export type InitializeParams = Infer<typeof InitializeParams>;

const declaration = {
  name: nonEmpty,
  version: nonEmpty,
  stateSchemaVersion: integer({ min: 0 }),
  subscriptions: strings,
  replaces: strings,
  providers: optional(list(ProviderDescriptor)),
  uiActions: optional(list(UIActionDecl)),
  tools: strings,
  provides: optional(list(CapabilityWire)),
  requires: optional(list(RequirementWire)),
  componentId: optional(string),
} as const;

export const InitializeResult = named("InitializeResult", object({ ...declaration, protocolVersion: nonEmpty }));
export type InitializeResult = Infer<typeof InitializeResult>;

/** The declaration with its version still unjudged, so that a wrong version gets a text of its own. */
export const InitializeEnvelope = object({ ...declaration, protocolVersion: optional(json) });

export const InitializedParams = named("InitializedParams", object({}));

export const ShutdownParams = named("ShutdownParams", object({ timeoutMillis: integer({ min: 0 }) }));
export const ShutdownResult = named("ShutdownResult", object({ accepted: optional(boolean) }));

export const ResourcesChangedParams = named("ResourcesChangedParams", object({ paths: list(string) }));
