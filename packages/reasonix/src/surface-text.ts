/** Surfaces as plain lines, for frontends without widgets; the texts were stripped and redacted by the host. */
import type { Surface } from "@reasonix-ts/events";
import type { CardPayload, FormField, FormPayload, NotificationPayload, StatusPayload } from "@reasonix-ts/protocol";

/** The lines that show a surface, each at most as wide as its author wrote it. */
export function surfaceLines(surface: Surface): readonly string[] {
  const at = `[${surface.plugin}]`;
  switch (surface.kind) {
    case "status":
      return [`${at} ${statusLine(surface.payload)}`];
    case "notification":
      return notificationLines(at, surface.payload);
    case "card":
      return cardLines(at, surface.plugin, surface.payload);
    case "form":
      return formLines(at, surface.payload);
  }
}

function statusLine(status: StatusPayload): string {
  const progress = status.progress === undefined ? "" : ` (${Math.round(status.progress * 100)} %)`;
  const detail = status.detail === undefined || status.detail === "" ? "" : `: ${status.detail}`;
  return `${mark(status.severity)}${status.label}${detail}${progress}`;
}

function notificationLines(at: string, note: NotificationPayload): string[] {
  return [`${at} ${mark(note.severity)}${note.title}`, ...indented(note.body)];
}

function cardLines(at: string, plugin: string, card: CardPayload): string[] {
  return [
    `${at} ${card.title ?? "card"}`,
    ...indented(card.text),
    ...indented(card.markdown),
    ...(card.fields ?? []).map((field) => `  ${field.key}: ${field.value}`),
    ...(card.actions ?? []).map((action) => `  /${plugin}:${action.actionId}  ${action.label}`),
  ];
}

function formLines(at: string, form: FormPayload): string[] {
  return [
    `${at} ${form.title ?? "form"}`,
    ...indented(form.message),
    ...form.fields.map((field) => `  ${fieldLine(field)}`),
  ];
}

function fieldLine(field: FormField): string {
  const options = field.options === undefined ? "" : ` (${field.options.join(", ")})`;
  return `${field.label ?? field.key}: ${field.kind}${options}${field.required === true ? ", required" : ""}`;
}

function indented(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : text.split("\n").map((line) => `  ${line}`);
}

function mark(severity: string | undefined): string {
  return severity === "error" ? "error: " : severity === "warn" ? "warning: " : "";
}
