/** Counts tool calls, and shows every kind of surface: a status, a card with actions, a form, a question, a notification. */
import { defineExtension, type Extension } from "@reasonix-ts/sdk";
import { cardOf, limitIn, NO_ACTIVITY, settingsForm, statusOf, type Activity } from "./activity.ts";

export function statusCard(): Extension {
  let activity: Activity = NO_ACTIVITY;
  return defineExtension({
    name: "status-card",
    version: "0.1.0",
    onStart: async ({ ui }) => {
      await ui.status("activity", statusOf(activity));
    },
    observe: {
      "tool.after": async ({ isError = false }, { ui }) => {
        activity = { ...activity, tools: activity.tools + 1, failed: activity.failed + (isError ? 1 : 0) };
        // The same id updates the surface in place.
        await ui.status("activity", statusOf(activity));
        if (activity.tools === activity.limit)
          await ui.notify({
            title: `The limit of ${activity.limit} is reached`,
            body: "Is this still on track?",
            severity: "warn",
          });
      },
    },
    ui: {
      actions: {
        show: {
          label: "Show the activity",
          run: async (_args, { ui }) => {
            await ui.card("activity-card", cardOf(activity));
          },
        },
        settings: {
          label: "Change the limit",
          run: async (_args, { ui }) => {
            await ui.form("settings", settingsForm(activity));
          },
        },
        reset: {
          label: "Start again at zero",
          run: async (_args, { ui }) => {
            const isSure = await ui.confirm({ title: "Forget all counts?" });
            if (isSure === null) return "Nobody was there to agree, so nothing was forgotten.";
            if (!isSure) return "Nothing was forgotten.";
            activity = { ...NO_ACTIVITY, limit: activity.limit };
            await ui.status("activity", statusOf(activity));
            return "Back at zero.";
          },
        },
      },
      submits: {
        settings: async ({ limit: typed }, { ui }) => {
          const limit = limitIn(typed);
          if (limit === null) return false;
          activity = { ...activity, limit };
          await ui.status("activity", statusOf(activity));
          return true;
        },
      },
    },
  });
}
