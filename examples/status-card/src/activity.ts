/** What has happened so far, and how it is shown; pure. */
import type { CardPayload, FormPayload, StatusPayload } from "@reasonix-ts/sdk";

export interface Activity {
  readonly tools: number;
  readonly failed: number;
  /** A warning is shown from this many tool calls on. */
  readonly limit: number;
}

export const NO_ACTIVITY: Activity = { tools: 0, failed: 0, limit: 50 };

export function statusOf({ tools, failed, limit }: Activity): StatusPayload {
  return {
    label: "activity",
    detail: `${tools} ${tools === 1 ? "tool call" : "tool calls"}, ${failed} failed`,
    severity: tools >= limit ? "warn" : "info",
    progress: Math.min(tools / limit, 1),
  };
}

export function cardOf({ tools, failed, limit }: Activity): CardPayload {
  return {
    title: "Activity",
    fields: [
      { key: "tool calls", value: String(tools) },
      { key: "failed", value: String(failed) },
      { key: "warns from", value: String(limit) },
    ],
    // Frontends show these as buttons, or as commands to type.
    actions: [
      { actionId: "settings", label: "Change the limit" },
      { actionId: "reset", label: "Start again at zero" },
    ],
  };
}

export function settingsForm({ limit }: Activity): FormPayload {
  return {
    title: "Settings",
    message: "From how many tool calls on should there be a warning?",
    fields: [{ key: "limit", kind: "input", label: "Limit", default: String(limit), required: true }],
  };
}

/** The limit that a person typed, or null where it is no count. */
export function limitIn(value: unknown): number | null {
  const limit = typeof value === "string" ? Number(value) : Number.NaN;
  return Number.isInteger(limit) && limit > 0 ? limit : null;
}
