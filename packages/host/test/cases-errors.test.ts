/** Every refusal that a sidecar hears has its code, its reason of the frozen table, whether to try again, and what to do. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Capability } from "@reasonix-ts/protocol";
import { ruleOnce, setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

interface Refusal {
  readonly method: string;
  readonly params: unknown;
  readonly capabilities?: readonly Capability[];
  readonly code: number;
  readonly reason: string;
  readonly retryable: boolean;
  readonly says: string;
}

const surface = { sessionId: "session-1", generation: 1, surfaceId: "s" };

/** Params that are right, for methods that need a browser. */
const BROWSER: readonly (readonly [verb: string, params: object])[] = [
  ["list", {}],
  ["open", { url: "http://127.0.0.1/", disposition: "background" }],
  ["snapshot", { tabId: "t" }],
  ["wait", { tabId: "t", waitUntil: "load", timeoutMillis: 30_000 }],
  ["act", { tabId: "t", expectedOrigin: "http://127.0.0.1", action: "click", ref: "r" }],
];

/** THE table of what a sidecar may ask wrongly. */
const REFUSALS: readonly Refusal[] = [
  {
    method: "host/no/such",
    params: {},
    code: -32601,
    reason: "unknown_method",
    retryable: false,
    says: "host/no/such",
  },
  {
    method: "host/content/read",
    params: { offset: -1, more: 1 },
    code: -32602,
    reason: "invalid_params",
    retryable: false,
    says: 'missing field "contentRef"',
  },
  {
    method: "host/content/read",
    params: { contentRef: "content-of-another", offset: 0 },
    code: -32000,
    reason: "content_ref_expired",
    retryable: true,
    says: "content-of-another",
  },
  {
    method: "host/ui/publish",
    params: { ...surface, kind: "status", payload: { label: "x" } },
    code: -32000,
    reason: "capability_not_declared",
    retryable: false,
    says: "runtime.capabilities",
  },
  {
    method: "host/ui/publish",
    params: { ...surface, kind: "view", payload: {} },
    capabilities: ["interceptors", "ui"],
    code: -32602,
    reason: "invalid_params",
    retryable: false,
    says: '"view" at /kind',
  },
  {
    method: "host/ui/request",
    params: { ...surface, kind: "select", payload: { fields: [{ key: "k", kind: "slider" }] } },
    capabilities: ["interceptors", "ui"],
    code: -32602,
    reason: "invalid_params",
    retryable: false,
    says: '"slider" at /fields/0/kind',
  },
  ...BROWSER.map(([verb, params]): Refusal => ({
    method: `host/browser/tab/${verb}`,
    params,
    code: -32000,
    reason: "browser_unavailable",
    retryable: true,
    says: "no browser",
  })),
  {
    method: "host/browser/tab/wait",
    params: { tabId: "t", waitUntil: "load", timeoutMillis: 30_001 },
    code: -32602,
    reason: "invalid_params",
    retryable: false,
    says: "/timeoutMillis",
  },
];

test.each([
  ["without the capability ui", REFUSALS.filter(({ capabilities }) => capabilities === undefined)],
  ["with it", REFUSALS.filter(({ capabilities }) => capabilities !== undefined)],
])("[E1] [T5] each wrong question of a sidecar %s is refused in full, and the connection lives", async (_who, rows) => {
  const steps = rows.map(({ method, params }) => ({ do: "callHost", method, params }));
  const [{ capabilities = ["interceptors"] as const } = {}] = rows;
  const spec = stage.spec(
    "caller",
    { intercepts: ["input.receive"], capabilities },
    { on: { "input.receive": steps } },
  );
  const host = await stage.host([spec]);
  for (const _row of rows)
    expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ kind: "proceed" });
  const replies = (await stage.log("caller")).flatMap(({ hostReply }) => (hostReply === undefined ? [] : [hostReply]));
  expect(replies).toEqual(
    rows.map(({ code, says, reason, retryable }) => ({
      code,
      message: expect.stringContaining(says),
      data: { reason, retryable, action: expect.stringMatching(/^[A-Z].{10,}\.$/) },
    })),
  );
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});
