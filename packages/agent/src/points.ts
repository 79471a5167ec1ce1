/** One function a hook point: each is nil-safe, and asks nobody where nobody wants the point. */
import type { Payloads, PointName, ProviderRequest, ToolCall, Usage } from "@reasonix-ts/protocol";
import { restoreNative, withoutNative } from "./native.ts";
import type { ExtensionLease, ModelRequest, Ruling, Scope, StoredMessage } from "./ports.ts";

/** A value now, or a promise of it: without extensions every function here answers now, and nothing is awaited. */
export type Maybe<T> = T | Promise<T>;

/** Whether there is anything to wait for; `await` on a plain value would cost a turn of the microtask queue. */
export function isPending<T>(value: Maybe<T>): value is Promise<T> {
  return value instanceof Promise;
}

/** An extension, or its failure, ended the operation; `text` is the sentence for people. */
export interface Stop {
  readonly kind: "blocked" | "failed";
  readonly plugin: string;
  readonly text: string;
}

export type Ruled<T> = { readonly kind: "proceed"; readonly value: T; readonly changedBy: readonly string[] } | Stop;

export interface ToolCallText {
  readonly name: string;
  /** JSON text of an object. */
  readonly arguments: string;
}

export interface AnswerParts {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage | null;
}

/** The extensions' last word at permission.decision; null when none ruled. */
export type PermissionWord = NonNullable<Extract<Ruling<"permission.decision">, { kind: "proceed" }>["permission"]>;

type Lease = ExtensionLease | null;

const NOBODY: readonly string[] = [];

export function sessionStart(lease: Lease, sessionPath: string, scope: Scope): Maybe<Ruled<null>> {
  return ask(lease, "session.start", scope, null, () => ({ phase: "start", sessionPath }), nothing);
}

export function sessionLoad(lease: Lease, sessionPath: string, scope: Scope): Maybe<Ruled<null>> {
  return ask(lease, "session.load", scope, null, () => ({ phase: "load", sessionPath }), nothing);
}

export function sessionSave(lease: Lease, sessionPath: string, scope: Scope): Maybe<Ruled<null>> {
  return ask(lease, "session.save", scope, null, () => ({ phase: "save", sessionPath }), nothing);
}

/** `sessionPath` is the old session's. */
export function sessionRotate(lease: Lease, sessionPath: string, scope: Scope): Maybe<Ruled<null>> {
  return ask(lease, "session.rotate", scope, null, () => ({ phase: "rotate", sessionPath }), nothing);
}

export function sessionEnd(lease: Lease, sessionPath: string, scope: Scope): Maybe<Ruled<null>> {
  return ask(lease, "session.end", scope, null, () => ({ phase: "end", sessionPath }), nothing);
}

export function systemPromptBuild(
  lease: Lease,
  prompt: string,
  workspaceRoot: string,
  scope: Scope,
): Maybe<Ruled<string>> {
  return ask(
    lease,
    "system_prompt.build",
    scope,
    prompt,
    () => ({ prompt, workspaceRoot }),
    (payload) => payload.prompt,
  );
}

export function inputReceive(lease: Lease, text: string, scope: Scope): Maybe<Ruled<string>> {
  return ask(
    lease,
    "input.receive",
    scope,
    text,
    () => ({ text }),
    (payload) => payload.text,
  );
}

export function agentBeforeStart(
  lease: Lease,
  start: { readonly sessionId: string; readonly model: string; readonly toolCount: number },
  scope: Scope,
): Maybe<Ruled<null>> {
  return ask(lease, "agent.before_start", scope, null, () => start, nothing);
}

/** The messages of one request; what an extension left unchanged keeps its provider-native blocks. */
export function contextPrepare(
  lease: Lease,
  messages: readonly StoredMessage[],
  scope: Scope,
): Maybe<Ruled<readonly StoredMessage[]>> {
  return ask(
    lease,
    "context.prepare",
    scope,
    messages,
    () => ({ messages: withoutNative(messages) }),
    (payload) => restoreNative(payload.messages, messages),
  );
}

export function providerRequest(lease: Lease, request: ModelRequest, scope: Scope): Maybe<Ruled<ModelRequest>> {
  return ask(
    lease,
    "provider.request",
    scope,
    request,
    () => ({ request: { ...request, messages: withoutNative(request.messages) } satisfies ProviderRequest }),
    (payload) => ({ ...payload.request, messages: restoreNative(payload.request.messages, request.messages) }),
  );
}

export function providerResponse(lease: Lease, answer: AnswerParts, scope: Scope): Maybe<Ruled<AnswerParts>> {
  return ask(
    lease,
    "provider.response",
    scope,
    answer,
    () => ({
      text: answer.text,
      ...(answer.reasoning === "" ? {} : { reasoning: answer.reasoning }),
      ...(answer.calls.length === 0 ? {} : { calls: answer.calls }),
      ...(answer.usage === null ? {} : { usage: answer.usage }),
    }),
    (payload) => ({
      text: payload.text ?? "",
      reasoning: payload.reasoning ?? "",
      calls: payload.calls ?? [],
      usage: payload.usage ?? null,
    }),
  );
}

export function toolBefore(lease: Lease, call: ToolCallText, scope: Scope): Maybe<Ruled<ToolCallText>> {
  return ask(
    lease,
    "tool.before",
    scope,
    call,
    () => call,
    (payload) => payload,
  );
}

/** `hostDecision` is `deny` for what a person would have to decide; `scope.verdict` says it in words. */
export function permissionDecision(
  lease: Lease,
  call: ToolCallText & { readonly readOnly: boolean; readonly hostDecision: "allow" | "deny" },
  scope: Scope,
): Maybe<Ruled<PermissionWord | null>> {
  if (lease === null || !lease.wants("permission.decision")) return { kind: "proceed", value: null, changedBy: NOBODY };
  return lease.rule("permission.decision", call, scope).then((ruling) => {
    const stop = stopOf(ruling);
    if (stop !== null) return stop;
    const word = ruling.kind === "proceed" ? ruling.permission : undefined;
    return { kind: "proceed", value: word ?? null, changedBy: NOBODY };
  });
}

export function toolAfter(
  lease: Lease,
  call: ToolCallText,
  output: { readonly result: string; readonly isError: boolean },
  scope: Scope,
): Maybe<Ruled<{ readonly result: string; readonly isError: boolean }>> {
  return ask(
    lease,
    "tool.after",
    scope,
    output,
    () => ({ ...call, ...output }),
    (payload) => ({ result: payload.result ?? "", isError: payload.isError ?? false }),
  );
}

export interface Fold {
  readonly messages: readonly StoredMessage[];
  readonly guidance: string;
}

/** The part of the conversation to fold, and what the summary should heed. */
export function compactionPrepare(lease: Lease, fold: Fold, scope: Scope): Maybe<Ruled<Fold>> {
  return ask(
    lease,
    "compaction.prepare",
    scope,
    fold,
    () => ({
      messages: withoutNative(fold.messages),
      ...(fold.guidance === "" ? {} : { guidance: fold.guidance }),
    }),
    (payload) => ({
      messages: restoreNative(payload.messages, fold.messages),
      guidance: payload.guidance ?? "",
    }),
  );
}

export function compactionComplete(lease: Lease, summary: string, scope: Scope): Maybe<Ruled<string>> {
  return ask(
    lease,
    "compaction.complete",
    scope,
    summary,
    () => ({ summary }),
    (payload) => payload.summary,
  );
}

export function frontendEvent(
  lease: Lease,
  event: Payloads["frontend.event"],
  scope: Scope,
): Maybe<Ruled<Payloads["frontend.event"]>> {
  return ask(
    lease,
    "frontend.event",
    scope,
    event,
    () => event,
    (payload) => payload,
  );
}

/** Builds no payload and makes no promise where nobody wants the point; reads the payload only when it was changed. */
function ask<P extends PointName, T>(
  lease: Lease,
  point: P,
  scope: Scope,
  value: T,
  payload: () => Payloads[P],
  read: (payload: Payloads[P]) => T,
): Maybe<Ruled<T>> {
  if (lease === null || !lease.wants(point)) return { kind: "proceed", value, changedBy: NOBODY };
  return lease.rule(point, payload(), scope).then((ruling) => {
    if (ruling.kind !== "proceed") return stopOf(ruling) ?? { kind: "proceed", value, changedBy: NOBODY };
    const { changedBy } = ruling;
    return { kind: "proceed", value: changedBy.length === 0 ? value : read(ruling.payload), changedBy };
  });
}

function stopOf<P extends PointName>(ruling: Ruling<P>): Stop | null {
  switch (ruling.kind) {
    case "proceed":
      return null;
    case "blocked":
      return { kind: "blocked", plugin: ruling.plugin, text: `Blocked by ${ruling.plugin}: ${ruling.reason}` };
    case "failed":
      return { kind: "failed", plugin: ruling.plugin, text: ruling.message };
  }
}

function nothing(): null {
  return null;
}
