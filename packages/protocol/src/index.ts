/** The language of the Reasonix Extension Protocol v2. */
export {
  BrowserTab,
  BrowserTabActParams,
  BrowserTabActResult,
  BrowserTabListParams,
  BrowserTabListResult,
  BrowserTabOpenParams,
  BrowserTabOpenResult,
  BrowserTabSnapshotParams,
  BrowserTabSnapshotResult,
  BrowserTabWaitParams,
  BrowserTabWaitResult,
} from "./browser.ts";
export { CAPABILITIES, type Capability } from "./capabilities.ts";
export { ContentReadParams, ContentReadResult, ExternalizedField } from "./content.ts";
export { DECISIONS, PERMISSION_DECISIONS, type Decision } from "./decisions.ts";
export { ErrorData, reasonOf, wireError, type WireError } from "./errors.ts";
export {
  CapabilityWire,
  HostCapabilities,
  InitializedParams,
  InitializeEnvelope,
  InitializeParams,
  InitializeResult,
  ManifestExpectation,
  RequirementWire,
  ResourcesChangedParams,
  SessionContext,
  ShutdownParams,
  ShutdownResult,
  UI_HOSTS,
  type UiHost,
} from "./handshake.ts";
export { EventParams, InterceptParams, InterceptResult } from "./intercept.ts";
export { BOUNDS, DEADLINES, LIMITS, PROTOCOL_ID, PROTOCOL_MAJOR, PROTOCOL_VERSION } from "./limits.ts";
export { FrameMeta } from "./meta.ts";
export {
  isMethodName,
  METHOD_NAMES,
  METHODS,
  type Direction,
  type MethodName,
  type MethodParams,
  type MethodResult,
  type MethodRow,
} from "./methods.ts";
export { object, optional, type ObjectSchema, type Optional } from "./object-schema.ts";
export {
  isPointName,
  POINT_NAMES,
  POINTS,
  type Family,
  type Payloads,
  type PointName,
  type PointRow,
} from "./points.ts";
export { problemsText, problemText } from "./problems.ts";
export {
  Chunk,
  CHUNK_TYPES,
  Message,
  PROVIDER_ERROR_CODES,
  ProviderCatalogEnvelope,
  ProviderCatalogParams,
  ProviderCatalogResult,
  ProviderDescriptor,
  ProviderError,
  ProviderRequest,
  ResponseFormat,
  ROLES,
  StreamCancelParams,
  StreamCancelResult,
  StreamChunkParams,
  StreamEndParams,
  StreamOpenParams,
  StreamOpenResult,
  ToolCall,
  ToolSchema,
  Usage,
  type ChunkType,
  type Role,
} from "./provider.ts";
export { isReason, REASON_NAMES, REASONS, type Reason, type ReasonRow } from "./reasons.ts";
export { isPluginRef, parsePluginRef, type PluginRef } from "./refs.ts";
export {
  below,
  boolean,
  decode,
  decodeTolerant,
  describe,
  externalizable,
  integer,
  json,
  jsonObject,
  list,
  matching,
  named,
  nonEmpty,
  number,
  oneOf,
  record,
  string,
  wrong,
  type Decoded,
  type Infer,
  type JsonSchema,
  type Problem,
  type Schema,
  type Walk,
} from "./schema.ts";
export {
  isSlotName,
  NAMED_SLOTS,
  parseSlot,
  PLAIN_SLOTS,
  type NamedSlot,
  type PlainSlot,
  type SlotKind,
  type SlotName,
} from "./slots.ts";
export { ToolCallParams, ToolCallResult } from "./tools.ts";
export {
  CardPayload,
  FormField,
  FormPayload,
  NotificationPayload,
  QUESTION_KINDS,
  SEVERITIES,
  StatusPayload,
  SURFACE_KINDS,
  SURFACE_PAYLOADS,
  UIActionDecl,
  UIActionParams,
  UIActionResult,
  UIPublishParams,
  UIPublishResult,
  UIRequestParams,
  UIRequestResult,
  UISubmitParams,
  UISubmitResult,
  type QuestionKind,
  type Severity,
  type SurfaceKind,
  type SurfacePayloads,
} from "./ui.ts";
export { judgeVersion, type VersionVerdict } from "./versions.ts";
