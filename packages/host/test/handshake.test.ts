/** The handshake, judged. */
import { expect, test } from "vitest";
import { initializeParams, judgeInitializeResult } from "../src/handshake.ts";
import type { HostError, SidecarSpec } from "../src/index.ts";

const spec: SidecarSpec = {
  plugin: "acme",
  version: "1.0.0",
  source: "/src/acme",
  root: "/p",
  command: "/p/run",
  args: [],
  env: {},
  required: false,
  priority: 0,
  timeoutMillis: 0,
  intercepts: ["input.receive", "tool.before"],
  replaces: ["compaction", "tool:bash"],
  capabilities: ["interceptors", "strategies", "providers", "ui", "tools"],
  tools: [{ name: "search", description: "d", inputSchema: {}, readOnly: true }],
  requires: [],
  provides: [],
};
const good = { name: "acme", version: "1.0.0", protocolVersion: "2", stateSchemaVersion: 0 };
const bare = { ...spec, capabilities: ["interceptors"] as const };

test("[L1] initialize carries the manifest's expectation, the session and the host's capabilities", () => {
  const session = { sessionId: "s", workspaceRoot: "/w" };
  expect(initializeParams(spec, session, 3, "tui")).toEqual({
    protocolId: "reasonix.extension.v2",
    protocolVersion: "2",
    manifest: {
      intercepts: ["input.receive", "tool.before"],
      replaces: ["compaction", "tool:bash"],
      capabilities: ["interceptors", "strategies", "providers", "ui", "tools"],
      tools: ["search"],
    },
    session: { sessionId: "s", workspaceRoot: "/w", generation: 3 },
    capabilities: { contentRefs: true, protocolVersion: "2", uiHost: "tui" },
  });
});

test.each([
  [{}, ["input.receive", "tool.before"], ["compaction", "tool:bash"], ["search"]],
  [{ subscriptions: [], replaces: null }, ["input.receive", "tool.before"], ["compaction", "tool:bash"], ["search"]],
  [
    { subscriptions: ["tool.before"], replaces: ["tool:bash"], tools: ["search"] },
    ["tool.before"],
    ["tool:bash"],
    ["search"],
  ],
])("[L3] [case L-06] the declaration %j is granted", (declared, intercepts, replaces, tools) => {
  const { grant } = judgeInitializeResult(spec, { ...good, ...declared });
  expect([[...grant.intercepts], [...grant.replaces], [...grant.tools]]).toEqual([intercepts, replaces, tools]);
});

test.each<[SidecarSpec, object, string, string]>([
  [spec, { subscriptions: ["permission.decision"] }, 'subscription "permission.decision"', "runtime.intercepts"],
  [spec, { subscriptions: ["no.such"] }, 'subscription "no.such"', "runtime.intercepts"],
  [spec, { replaces: ["permission"] }, 'slot "permission"', "runtime.replaces"],
  [spec, { replaces: ["tool:grep"] }, 'slot "tool:grep"', "runtime.replaces"],
  [spec, { tools: ["fetch"] }, 'tool "fetch"', "runtime.tools"],
  [bare, { tools: ["search"] }, 'tool "search" (capability "tools")', "runtime.capabilities"],
  [bare, { providers: [{ ref: "plugin/acme/x" }] }, 'provider "plugin/acme/x"', "runtime.capabilities"],
  [spec, { providers: [{ ref: "plugin/other/x" }] }, 'not below "plugin/acme/"', "runtime.capabilities"],
  [bare, { uiActions: [{ actionId: "go" }] }, 'UI action "go"', "runtime.capabilities"],
])(
  "[L3] [case L-06] an excess is refused and names the item and its place in the manifest",
  (manifest, declared, item, key) => {
    const error = refusalOf(manifest, { ...good, ...declared });
    expect(error.reason).toBe("capability_not_declared");
    expect(error.plugin).toBe("acme");
    expect(error.message).toContain(item);
    expect(error.message).toContain(key);
  },
);

test.each([
  ["3", "unsupported_version", '"3"'],
  ["2.1", "unsupported_version", '"2.1"'],
  ["reasonix.extension.v2", "protocol_error", '"reasonix.extension.v2"'],
  [2, "protocol_error", "is 2,"],
  ["", "protocol_error", '""'],
  [undefined, "protocol_error", 'missing field "protocolVersion"'],
])("[L3] [case L-07] protocolVersion %j → %s", (protocolVersion, reason, shown) => {
  const error = refusalOf(spec, { ...good, protocolVersion });
  expect(error.reason).toBe(reason);
  expect(error.message).toContain(shown);
  expect(error.message).toContain('"2"');
});

test("[T5] [case L-08] every problem of the declaration is in one message, with its path", () => {
  const { stateSchemaVersion: _, ...rest } = good;
  const error = refusalOf(spec, { ...rest, capabilities: ["interceptors"], name: "" });
  expect(error.reason).toBe("protocol_error");
  expect(error.message).toContain('initialize result: "" at /name, wanted a non-empty string');
  expect(error.message).toContain('missing field "stateSchemaVersion"');
  expect(error.message).toContain('unknown field "capabilities" at /capabilities');
});

function refusalOf(manifest: SidecarSpec, result: unknown): HostError {
  try {
    judgeInitializeResult(manifest, result);
  } catch (error) {
    return error as HostError;
  }
  throw new Error("it was accepted");
}
