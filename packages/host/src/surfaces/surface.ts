/** One published surface, judged by its kind's shape and made fit for people (pure). */
import {
  decode,
  SURFACE_PAYLOADS,
  type CardPayload,
  type NotificationPayload,
  type Problem,
  type StatusPayload,
  type SurfaceKind,
  type SurfacePayloads,
} from "@reasonix-ts/protocol";
import { cleanForm, type AnswerRule } from "./form.ts";
import { cleanerOf, type Cleaner } from "./text.ts";

/** A surface as frontends get it. */
export type Surface = {
  [K in SurfaceKind]: {
    readonly kind: K;
    readonly plugin: string;
    /** The plugin's own: the same id of another plugin is another surface. */
    readonly surfaceId: string;
    readonly sessionId: string;
    readonly generation: number;
    readonly payload: SurfacePayloads[K];
  };
}[SurfaceKind];

/** Whose surface it is; the stamp that every frontend gets. */
export type SurfaceStamp = Pick<Surface, "plugin" | "surfaceId" | "sessionId" | "generation">;

export interface JudgeContext {
  /** Actions that the plugin declared. */
  readonly actions: ReadonlySet<string>;
  readonly redact: (text: string) => string;
}

export type JudgedSurface =
  | {
      readonly ok: true;
      readonly surface: Surface;
      /** How a submit of this surface is judged; null unless it is a form. */
      readonly answers: readonly AnswerRule[] | null;
      /** What was left out, and why. */
      readonly dropped: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function judgeSurface(
  stamp: SurfaceStamp,
  kind: SurfaceKind,
  payload: unknown,
  { actions, redact }: JudgeContext,
): JudgedSurface {
  const clean = cleanerOf(redact);
  switch (kind) {
    case "status": {
      const decoded = decode(SURFACE_PAYLOADS.status, payload);
      return decoded.ok
        ? visible({ ...stamp, kind, payload: cleanStatus(decoded.value, clean) }, "label", [])
        : decoded;
    }
    case "notification": {
      const decoded = decode(SURFACE_PAYLOADS.notification, payload);
      return decoded.ok
        ? visible({ ...stamp, kind, payload: cleanNotification(decoded.value, clean) }, "title", [])
        : decoded;
    }
    case "card": {
      const decoded = decode(SURFACE_PAYLOADS.card, payload);
      if (!decoded.ok) return decoded;
      const { card, dropped } = cleanCard(decoded.value, actions, clean);
      return { ok: true, surface: { ...stamp, kind, payload: card }, answers: null, dropped };
    }
    case "form": {
      const decoded = decode(SURFACE_PAYLOADS.form, payload);
      if (!decoded.ok) return decoded;
      const { payload: form, answers, dropped } = cleanForm(decoded.value, clean);
      return { ok: true, surface: { ...stamp, kind, payload: form }, answers, dropped };
    }
  }
}

/** A text that must be there may not consist of characters that go. */
function visible(surface: Surface, member: "label" | "title", dropped: readonly string[]): JudgedSurface {
  // `member` is a required text of this surface's kind.
  const text = (surface.payload as { readonly [name: string]: unknown })[member];
  if (text !== "") return { ok: true, surface, answers: null, dropped };
  const expected = "text that can be seen";
  return { ok: false, problems: [{ kind: "wrong", path: `/payload/${member}`, expected, received: "none" }] };
}

function cleanStatus({ label, detail, severity, progress }: StatusPayload, clean: Cleaner): StatusPayload {
  return {
    label: clean.line(label),
    ...(detail === undefined ? {} : { detail: clean.line(detail) }),
    ...(severity === undefined || severity === "" ? {} : { severity }),
    ...(progress === undefined ? {} : { progress }),
  };
}

function cleanNotification({ title, body, severity }: NotificationPayload, clean: Cleaner): NotificationPayload {
  return {
    title: clean.line(title),
    ...(body === undefined ? {} : { body: clean.text(body) }),
    ...(severity === undefined || severity === "" ? {} : { severity }),
  };
}

function cleanCard(
  { title, markdown, text, fields, actions }: CardPayload,
  declared: ReadonlySet<string>,
  clean: Cleaner,
): { readonly card: CardPayload; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  const kept = actions?.filter(({ actionId }, index) => {
    if (declared.has(actionId)) return true;
    dropped.push(
      `the action at /actions/${index} (${JSON.stringify(clean.line(actionId))}): the handshake did not declare it`,
    );
    return false;
  });
  const card = {
    ...(title === undefined ? {} : { title: clean.line(title) }),
    ...(markdown === undefined ? {} : { markdown: clean.text(markdown) }),
    ...(text === undefined ? {} : { text: clean.text(text) }),
    ...(fields === undefined
      ? {}
      : { fields: fields.map(({ key, value }) => ({ key: clean.line(key), value: clean.text(value) })) }),
    ...(kept === undefined
      ? {}
      : { actions: kept.map(({ actionId, label }) => ({ actionId, label: clean.line(label) || actionId })) }),
  };
  return { card, dropped };
}
