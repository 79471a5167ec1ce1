import { POINT_NAMES, type Payloads, type PointName } from "@reasonix-ts/protocol";
import { describe, expect, it, vi } from "vitest";
import * as points from "../src/points.ts";
import type { ExtensionLease, StoredMessage } from "../src/index.ts";
import { replaced, tableExtensions } from "./support.ts";

const scope = { agent: "main", sessionId: "s1" };
const native = { provider: "p", blocks: [{ type: "thinking" }] };
const messages: readonly StoredMessage[] = [
  { role: "user", content: "hi" },
  { role: "assistant", content: "hello", native },
];
const request = { messages, tools: [], maxTokens: 0 };
const call = { name: "bash", arguments: '{"command":"ls"}' };
const answer = { text: "a", reasoning: "", calls: [], usage: null };

/** One row a point: how the agent asks it, and the payload that travels. */
const ROWS: { readonly [P in PointName]: readonly [(lease: ExtensionLease | null) => unknown, Payloads[P]] } = {
  "session.start": [(lease) => points.sessionStart(lease, "/s", scope), { phase: "start", sessionPath: "/s" }],
  "session.load": [(lease) => points.sessionLoad(lease, "/s", scope), { phase: "load", sessionPath: "/s" }],
  "session.save": [(lease) => points.sessionSave(lease, "/s", scope), { phase: "save", sessionPath: "/s" }],
  "session.rotate": [(lease) => points.sessionRotate(lease, "/s", scope), { phase: "rotate", sessionPath: "/s" }],
  "session.end": [(lease) => points.sessionEnd(lease, "/s", scope), { phase: "end", sessionPath: "/s" }],
  "system_prompt.build": [
    (lease) => points.systemPromptBuild(lease, "be", "/w", scope),
    { prompt: "be", workspaceRoot: "/w" },
  ],
  "input.receive": [(lease) => points.inputReceive(lease, "x", scope), { text: "x" }],
  "agent.before_start": [
    (lease) => points.agentBeforeStart(lease, { sessionId: "s1", model: "m", toolCount: 3 }, scope),
    { sessionId: "s1", model: "m", toolCount: 3 },
  ],
  "context.prepare": [
    (lease) => points.contextPrepare(lease, messages, scope),
    {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "hello" },
      ],
    },
  ],
  "provider.request": [
    (lease) => points.providerRequest(lease, request, scope),
    {
      request: {
        messages: [
          { role: "user", content: "hi" },
          { role: "assistant", content: "hello" },
        ],
        tools: [],
        maxTokens: 0,
      },
    },
  ],
  "provider.response": [(lease) => points.providerResponse(lease, answer, scope), { text: "a" }],
  "tool.before": [(lease) => points.toolBefore(lease, call, scope), call],
  "permission.decision": [
    (lease) => points.permissionDecision(lease, { ...call, readOnly: false, hostDecision: "deny" }, scope),
    { ...call, readOnly: false, hostDecision: "deny" },
  ],
  "tool.after": [
    (lease) => points.toolAfter(lease, call, { result: "r", isError: false }, scope),
    { ...call, result: "r", isError: false },
  ],
  "compaction.prepare": [
    (lease) => points.compactionPrepare(lease, { messages, guidance: "short" }, scope),
    {
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "hello" },
      ],
      guidance: "short",
    },
  ],
  "compaction.complete": [(lease) => points.compactionComplete(lease, "sum", scope), { summary: "sum" }],
  "frontend.event": [
    (lease) => points.frontendEvent(lease, { kind: "text", text: "t" }, scope),
    { kind: "text", text: "t" },
  ],
};

describe("points", () => {
  it.each(POINT_NAMES)("[K1] %s asks nobody, awaits nothing and writes no JSON without extensions", (point) => {
    const stringify = vi.spyOn(JSON, "stringify");
    try {
      const ruled = ROWS[point][0](null);
      expect(ruled).not.toBeInstanceOf(Promise);
      expect(ruled).toMatchObject({ kind: "proceed", changedBy: [] });
      expect(stringify).not.toHaveBeenCalled();
    } finally {
      stringify.mockRestore();
    }
  });

  it.each(POINT_NAMES)("[K1] %s asks nobody where extensions do not want it", (point) => {
    const extensions = tableExtensions({});
    expect(ROWS[point][0](extensions.lease())).not.toBeInstanceOf(Promise);
    expect(extensions.asked).toEqual([]);
  });

  it.each(POINT_NAMES)("[I1] %s travels with its payload and who asks", async (point) => {
    const extensions = tableExtensions({}, { wants: [point] });
    await ROWS[point][0](extensions.lease());
    expect(extensions.asked).toEqual([{ point, payload: ROWS[point][1], scope }]);
  });

  it("gives unchanged messages their native blocks back, and changed ones none", async () => {
    const extensions = tableExtensions({
      "context.prepare": ({ messages: sent }) =>
        replaced<"context.prepare">({ messages: [{ role: "system", content: "note" }, ...sent] }),
    });
    const kept = await points.contextPrepare(extensions.lease(), messages, scope);
    expect(kept).toMatchObject({ value: [{ role: "system", content: "note" }, messages[0], messages[1]] });
    const changing = tableExtensions({
      "context.prepare": ({ messages: sent }) =>
        replaced<"context.prepare">({ messages: sent.map((message) => ({ ...message, content: "other" })) }),
    });
    const changed = await points.contextPrepare(changing.lease(), messages, scope);
    expect(changed).toEqual({
      kind: "proceed",
      changedBy: ["tester"],
      value: [
        { role: "user", content: "other" },
        { role: "assistant", content: "other" },
      ],
    });
  });
});
