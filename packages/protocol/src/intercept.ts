/** Intercepts, which block an operation until they are answered, and events, which observe it. */
import { Externalized } from "./content.ts";
import { DECISIONS } from "./decisions.ts";
import { POINT_NAMES } from "./points.ts";
import { object, optional } from "./object-schema.ts";
import { externalizable, integer, json, named, oneOf, string, type Infer } from "./schema.ts";

const event = oneOf(POINT_NAMES);

export const InterceptParams = named(
  "InterceptParams",
  object({
    event,
    seq: integer({ min: 1 }),
    payload: externalizable(json),
    timeoutMillis: integer({ min: 0 }),
    externalized: Externalized,
  }),
);
export type InterceptParams = Infer<typeof InterceptParams>;

export const InterceptResult = named(
  "InterceptResult",
  object({
    decision: oneOf(DECISIONS),
    reason: optional(string),
    replacement: optional(externalizable(json)),
    externalized: Externalized,
  }),
);
export type InterceptResult = Infer<typeof InterceptResult>;

export const EventParams = named(
  "EventParams",
  object({ event, payload: externalizable(json), externalized: Externalized }),
);
export type EventParams = Infer<typeof EventParams>;
