/** What a host sends, read tolerantly: unknown members are kept, unknown points are let through. */
import {
  ExternalizedField,
  integer,
  json,
  list,
  nonEmpty,
  object,
  optional,
  string,
  UI_HOSTS,
  oneOf,
  type FrameMeta,
  type Infer,
  decodeTolerant,
  type Schema,
} from "@reasonix-ts/protocol";
import { misshapen } from "./failure.ts";

const strings = optional(list(string));

/** The handshake, as far as an extension needs it. */
export const Hello = object({
  protocolId: nonEmpty,
  protocolVersion: nonEmpty,
  manifest: object({ intercepts: strings, replaces: strings, tools: strings, capabilities: strings }),
  session: object({ sessionId: nonEmpty, workspaceRoot: nonEmpty, generation: integer(), epoch: optional(string) }),
  capabilities: object({ uiHost: optional(oneOf(UI_HOSTS)) }),
});
export type Hello = Infer<typeof Hello>;

const externalized = optional(list(ExternalizedField));

export const InterceptFrame = object({
  event: nonEmpty,
  seq: integer({ min: 0 }),
  payload: optional(json),
  timeoutMillis: integer({ min: 0 }),
  externalized,
});

export const EventFrame = object({ event: nonEmpty, payload: optional(json), externalized });

/** The params of a request; what is not of its shape is answered `invalid_params` with every problem's path. */
export function readParams<T>(method: string, schema: Schema<T>, params: unknown): T {
  const decoded = decodeTolerant(schema, params);
  if (!decoded.ok) throw misshapen(`${method} params`, decoded.problems);
  return decoded.value;
}

/** What the host answered; rejects the caller's promise where that is not of its shape. */
export function readResult<T>(method: string, schema: Schema<T>, result: unknown): T {
  const decoded = decodeTolerant(schema, result);
  if (!decoded.ok) throw misshapen(`${method} result`, decoded.problems);
  return decoded.value;
}

const Meta = object({ callId: optional(string), agent: optional(string), sessionId: optional(string) });
const NO_META: FrameMeta = Object.freeze({});

/** The frame member `_meta`; what is not of its shape counts as absent, for it carries help and no payload. */
export function readMeta(meta: unknown): FrameMeta {
  if (meta === undefined) return NO_META;
  const decoded = decodeTolerant(Meta, meta);
  return decoded.ok ? decoded.value : NO_META;
}
