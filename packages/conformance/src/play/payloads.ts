/** A realistic payload for each of the seventeen points. */
import type { Payloads, PointName } from "@reasonix-ts/protocol";

const messages = [
  { role: "system", content: "You are a coding agent." },
  { role: "user", content: "List the files — 读 🎉." },
] as const;
const usage = {
  promptTokens: 120,
  completionTokens: 8,
  totalTokens: 128,
  cacheHitTokens: 64,
  cacheMissTokens: 56,
  reasoningTokens: 0,
} as const;
const call = { id: "call-1", name: "bash", arguments: '{"command":"ls"}' } as const;
const tools = [{ name: "bash", description: "Runs a command.", parameters: { type: "object" } }] as const;

export const SAMPLE_REQUEST = { messages, tools, maxTokens: 0 } as const;

export const SAMPLES: Payloads = {
  "session.start": { phase: "start", sessionPath: "/tmp/conformance/session.jsonl" },
  "session.load": { phase: "load", sessionPath: "/tmp/conformance/session.jsonl" },
  "session.save": { phase: "save", sessionPath: "/tmp/conformance/session.jsonl" },
  "session.rotate": { phase: "rotate", sessionPath: "/tmp/conformance/session.jsonl" },
  "session.end": { phase: "end", sessionPath: "/tmp/conformance/session.jsonl" },
  "system_prompt.build": { prompt: "You are a coding agent.", workspaceRoot: "/tmp/conformance" },
  "input.receive": { text: "List the files — 读 🎉." },
  "agent.before_start": { sessionId: "session", model: "sample/model", toolCount: 1 },
  "context.prepare": { messages },
  "provider.request": { request: SAMPLE_REQUEST },
  "provider.response": { text: "There are two.", reasoning: "I look.", calls: [call], usage },
  "tool.before": { name: "bash", arguments: '{"command":"ls"}' },
  "permission.decision": { name: "bash", arguments: '{"command":"ls"}', readOnly: false, hostDecision: "allow" },
  "tool.after": { name: "bash", arguments: '{"command":"ls"}', result: "a\nb\n", isError: false },
  "compaction.prepare": { messages, guidance: "Keep file names." },
  "compaction.complete": { summary: "The files were listed." },
  "frontend.event": { kind: "notice", text: "Two files.", detail: "" },
};

/** A payload of about `bytes` bytes at a point, or null where none can be large in practice. */
export function largePayload(point: PointName, bytes: number): unknown {
  const text = "large text — 读 ".repeat(Math.ceil(bytes / 17));
  switch (point) {
    case "input.receive":
      return { text };
    case "context.prepare":
    case "compaction.prepare":
      return { messages: [{ role: "user", content: text }] };
    case "provider.request":
      return { request: { ...SAMPLE_REQUEST, messages: [{ role: "user", content: text }] } };
    case "provider.response":
      return { text };
    case "tool.before":
      return { name: "bash", arguments: JSON.stringify({ command: text }) };
    case "permission.decision":
      return { name: "bash", arguments: JSON.stringify({ command: text }), hostDecision: "allow" };
    case "tool.after":
      return { name: "bash", arguments: '{"command":"ls"}', result: text };
    case "compaction.complete":
      return { summary: text };
    case "system_prompt.build":
      return { prompt: text, workspaceRoot: "/tmp/conformance" };
    case "frontend.event":
      return { kind: "notice", text };
    case "session.start":
    case "session.load":
    case "session.save":
    case "session.rotate":
    case "session.end":
    case "agent.before_start":
      return null;
  }
}
