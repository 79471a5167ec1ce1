/** Structured UI: surfaces that an extension publishes, questions that it asks, actions that people run. */
import { object, optional } from "./object-schema.ts";
import {
  boolean,
  integer,
  json,
  jsonObject,
  list,
  named,
  nonEmpty,
  number,
  oneOf,
  record,
  string,
  type Infer,
} from "./schema.ts";

export const SURFACE_KINDS = ["card", "form", "notification", "status"] as const;
export type SurfaceKind = (typeof SURFACE_KINDS)[number];

export const QUESTION_KINDS = ["confirm", "input", "multiselect", "select"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** The empty string counts as absent. */
export const SEVERITIES = ["info", "warn", "error", ""] as const;
export type Severity = "info" | "warn" | "error";
const severity = optional(oneOf(SEVERITIES));

export const StatusPayload = named(
  "StatusPayload",
  object({ label: nonEmpty, detail: optional(string), severity, progress: optional(number({ min: 0, max: 1 })) }),
);
export type StatusPayload = Infer<typeof StatusPayload>;

export const CardPayload = named(
  "CardPayload",
  object({
    title: optional(string),
    markdown: optional(string),
    text: optional(string),
    fields: optional(list(object({ key: nonEmpty, value: string }))),
    actions: optional(list(object({ actionId: nonEmpty, label: nonEmpty }))),
  }),
);
export type CardPayload = Infer<typeof CardPayload>;

export const NotificationPayload = named(
  "NotificationPayload",
  object({ title: nonEmpty, body: optional(string), severity }),
);
export type NotificationPayload = Infer<typeof NotificationPayload>;

export const FormField = named(
  "FormField",
  object({
    key: nonEmpty,
    kind: oneOf(QUESTION_KINDS),
    label: optional(string),
    default: optional(json),
    required: optional(boolean),
    options: optional(list(string)),
  }),
);
export type FormField = Infer<typeof FormField>;

export const FormPayload = named(
  "FormPayload",
  object({ title: optional(string), message: optional(string), fields: list(FormField) }),
);
/** A form, and the payload of every question. */
export type FormPayload = Infer<typeof FormPayload>;

/** THE table: surface kind → payload. */
export const SURFACE_PAYLOADS = {
  card: CardPayload,
  form: FormPayload,
  notification: NotificationPayload,
  status: StatusPayload,
} as const;
export type SurfacePayloads = { readonly [K in SurfaceKind]: Infer<(typeof SURFACE_PAYLOADS)[K]> };

const stamp = { sessionId: nonEmpty, generation: integer() } as const;

export const UIPublishParams = named(
  "UIPublishParams",
  object({ ...stamp, surfaceId: nonEmpty, kind: oneOf(SURFACE_KINDS), payload: json }),
);
export type UIPublishParams = Infer<typeof UIPublishParams>;
export const UIPublishResult = named("UIPublishResult", object({ accepted: boolean }));

export const UIRequestParams = named(
  "UIRequestParams",
  object({ ...stamp, surfaceId: nonEmpty, kind: oneOf(QUESTION_KINDS), payload: json }),
);
export type UIRequestParams = Infer<typeof UIRequestParams>;
export const UIRequestResult = named("UIRequestResult", object({ cancelled: boolean, values: optional(jsonObject) }));
export type UIRequestResult = Infer<typeof UIRequestResult>;

export const UIActionDecl = named("UIActionDecl", object({ actionId: nonEmpty, label: optional(string) }));
export type UIActionDecl = Infer<typeof UIActionDecl>;

export const UIActionParams = named(
  "UIActionParams",
  object({ actionId: nonEmpty, ...stamp, args: optional(record(string)) }),
);
export type UIActionParams = Infer<typeof UIActionParams>;
export const UIActionResult = named("UIActionResult", object({ accepted: boolean, message: optional(string) }));
export type UIActionResult = Infer<typeof UIActionResult>;

export const UISubmitParams = named("UISubmitParams", object({ surfaceId: nonEmpty, ...stamp, values: jsonObject }));
export type UISubmitParams = Infer<typeof UISubmitParams>;
export const UISubmitResult = named("UISubmitResult", object({ accepted: boolean }));
