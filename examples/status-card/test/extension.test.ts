/** The extension in memory: every surface that it shows, and what people do with it. */
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { statusCard } from "../src/extension.ts";

const call = (isError: boolean) => ({ name: "bash", arguments: "{}", result: "", isError });

test("[U1] [case U-04] the status is there from the start and updates in place", async () => {
  const host = await testHost(statusCard());
  expect(host.surface("activity")).toEqual({
    kind: "status",
    surfaceId: "activity",
    payload: { label: "activity", detail: "0 tool calls, 0 failed", severity: "info", progress: 0 },
  });
  await host.event("tool.after", call(false));
  await host.event("tool.after", call(true));
  await expect.poll(() => host.surface("activity")?.payload).toMatchObject({ detail: "2 tool calls, 1 failed" });
  expect(new Set(host.published.map(({ surfaceId }) => surfaceId))).toEqual(new Set(["activity"]));
  await host.close();
});

test("[U1] [U5] the card has fields and actions, the form takes a count and refuses all else, then a notification warns", async () => {
  const host = await testHost(statusCard());
  expect(await host.action("show")).toEqual({ accepted: true });
  expect(host.surface("activity-card")?.payload).toEqual({
    title: "Activity",
    fields: [
      { key: "tool calls", value: "0" },
      { key: "failed", value: "0" },
      { key: "warns from", value: "50" },
    ],
    actions: [
      { actionId: "settings", label: "Change the limit" },
      { actionId: "reset", label: "Start again at zero" },
    ],
  });

  await host.action("settings");
  expect(host.surface("settings")?.kind).toBe("form");
  expect(await host.submit("settings", { limit: "many" })).toEqual({ accepted: false });
  expect(await host.submit("settings", { limit: "0" })).toEqual({ accepted: false });
  expect(await host.submit("settings", { limit: "1" })).toEqual({ accepted: true });

  await host.event("tool.after", call(false));
  await expect
    .poll(() => host.published.find(({ kind }) => kind === "notification")?.payload)
    .toEqual({ title: "The limit of 1 is reached", body: "Is this still on track?", severity: "warn" });
  await host.close();
});

test.each([
  ["yes", { answer: true }, "Back at zero.", "0 tool calls, 0 failed"],
  ["no", { answer: false }, "Nothing was forgotten.", "1 tool call, 0 failed"],
  ["nobody", null, "Nobody was there to agree, so nothing was forgotten.", "1 tool call, 0 failed"],
] as const)("[U2] [case U-06] asked before it forgets; the answer is %s", async (_who, values, message, detail) => {
  const host = await testHost(statusCard(), {
    answer: ({ payload }) => (values === null ? null : keyed(payload, values)),
  });
  await host.event("tool.after", call(false));
  expect(await host.action("reset")).toEqual({ accepted: true, message });
  expect(host.questions.map(({ kind, payload }) => [kind, payload.title])).toEqual([["confirm", "Forget all counts?"]]);
  expect(host.surface("activity")?.payload).toMatchObject({ detail });
  await host.close();
});

/** Under the key of the question's only field. */
function keyed(
  payload: { readonly fields: readonly { readonly key: string }[] },
  { answer }: { readonly answer: boolean },
) {
  return { [payload.fields[0]?.key ?? ""]: answer };
}

test("[L3] manifest and code agree", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  const host = await testHost(statusCard());
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { intercepts: host.declaration.subscriptions, capabilities: ["interceptors", "ui"] },
  });
  expect(host.declaration.uiActions?.map(({ actionId }) => actionId)).toEqual(["show", "settings", "reset"]);
  await host.close();
});
