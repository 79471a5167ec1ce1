/** The turn machine: ask the model, run what it calls, ask again, until it answers or something ends it. */
import type { TurnOutcome } from "@reasonix-ts/events";
import type { Answer } from "./answer.ts";
import { askModel } from "./ask-model.ts";
import { runBatch } from "./batch.ts";
import { RepeatWatch } from "./limits.ts";
import { costOf } from "./models/cost.ts";
import * as points from "./points.ts";
import type { ModelRequest, StoredMessage } from "./ports.ts";
import { scopeOf, speaker, type AgentRun, type MessageFacts } from "./run.ts";

export interface LoopEnd {
  readonly outcome: TurnOutcome;
  /** The model's last answer when done, else a sentence that says what ended it. */
  readonly text: string;
  /** Requests made. */
  readonly steps: number;
}

/** Works on a conversation whose last message is the person's. */
export async function runLoop(run: AgentRun): Promise<LoopEnd> {
  const repeats = new RepeatWatch(run.limits.maxRepeats);
  for (let step = 0; ; step++) {
    const end = (outcome: TurnOutcome, text: string): LoopEnd => ({ outcome, text, steps: step });
    if (run.signal.aborted) return end("interrupted", INTERRUPTED);
    const limit = limitReached(run, step);
    if (limit !== null) return end("failed", limit);
    const room = run.makeRoom();
    if (room !== null) await room;

    phase(run, "context");
    const prepared = points.contextPrepare(run.lease, messagesOf(run), scopeOf(run));
    const context = points.isPending(prepared) ? await prepared : prepared;
    if (context.kind !== "proceed") return end(context.kind, context.text);
    const wanted: ModelRequest = { messages: context.value, tools: run.tools.schemas, maxTokens: 0 };
    const scope = scopeOf(run, { modelRef: run.model.ref });
    const requested = points.providerRequest(run.lease, wanted, scope);
    const request = points.isPending(requested) ? await requested : requested;
    if (request.kind !== "proceed") return end(request.kind, request.text);

    watchPrefix(run, request.value.messages, context.changedBy, request.changedBy);

    phase(run, "model");
    const asked = await askModel(run, request.value);
    if (asked.kind !== "answered") {
      await keepPartial(run, asked.answer);
      return { ...end(asked.kind, asked.text), steps: step + 1 };
    }
    const responded = points.providerResponse(run.lease, asked.answer, scope);
    const response = points.isPending(responded) ? await responded : responded;
    if (response.kind !== "proceed") return { ...end(response.kind, response.text), steps: step + 1 };
    const answer = response.changedBy.length === 0 ? asked.answer : replacedBy(asked.answer, response.value);
    await keepAnswer(run, answer, response.changedBy.length > 0);
    if (answer.calls.length === 0) return { outcome: "done", text: answer.text, steps: step + 1 };

    phase(run, "tools");
    const batch = await runBatch(run, answer.calls, repeats);
    for (const result of batch.results) await run.conversation.append(result);
    if (batch.stop !== null) return { outcome: "failed", text: batch.stop, steps: step + 1 };
  }
}

function watchPrefix(
  run: AgentRun,
  messages: readonly StoredMessage[],
  inContext: readonly string[],
  inRequest: readonly string[],
): void {
  if (run.prefixWatch === null) return;
  const changedBy =
    inContext.length + inRequest.length === 0
      ? NOBODY
      : [...inContext.map((by) => `${by} at context.prepare`), ...inRequest.map((by) => `${by} at provider.request`)];
  const text = run.prefixWatch.see(run.agent, messages, changedBy);
  if (text !== null) run.events.emit({ kind: "context_maintenance", text });
}

const NOBODY: readonly string[] = [];

const INTERRUPTED = "The turn was interrupted.";

function limitReached(run: AgentRun, step: number): string | null {
  const { maxSteps, maxCost } = run.limits;
  if (step >= maxSteps) return `The turn reached its limit of ${maxSteps} steps. Say "go on" to let it continue.`;
  const { cost, currency } = run.meter.spent;
  if (maxCost === null || cost === null || cost < maxCost) return null;
  const unit = currency === null ? "" : ` ${currency}`;
  return `The session has cost ${cost.toFixed(4)}${unit}, which reaches its limit of ${maxCost}${unit}.`;
}

/** What never changes comes first, what changes with every request last. */
function messagesOf(run: AgentRun): readonly StoredMessage[] {
  const tail = run.tail();
  const head: StoredMessage = { role: "system", content: run.system };
  const last: readonly StoredMessage[] = tail === null ? [] : [{ role: "system", content: tail }];
  // concat copies a long conversation as one block; spreading takes it message by message.
  return [head].concat(run.conversation.messages, last);
}

/** Blocks in the provider's own form belong to the answer that it gave, not to one that an extension wrote. */
function replacedBy(answer: Answer, parts: points.AnswerParts): Answer {
  return {
    ...answer,
    ...parts,
    native: null,
    signature: parts.reasoning === answer.reasoning ? answer.signature : null,
  };
}

async function keepAnswer(run: AgentRun, answer: Answer, replaced: boolean): Promise<void> {
  await run.conversation.append(messageOf(answer), factsOf(run, answer));
  if (answer.usage !== null) run.counted(answer.usage.promptTokens + answer.usage.completionTokens);
  run.events.emit({
    kind: "message",
    text: answer.text,
    ...(answer.reasoning === "" ? {} : { reasoning: answer.reasoning }),
    ...(replaced ? { replaced } : {}),
    ...speaker(run),
  });
}

/** A broken answer is kept as far as it came, and marked for people and for the model. */
async function keepPartial(run: AgentRun, answer: Answer): Promise<void> {
  if (answer.text === "") return;
  const content = `${answer.text}\n\n[This answer broke off here.]`;
  await run.conversation.append({ role: "assistant", content }, { ...factsOf(run, answer), partial: true });
}

function messageOf({ text, reasoning, signature, calls, native }: Answer): StoredMessage {
  return {
    role: "assistant",
    content: text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(signature === null ? {} : { reasoning_signature: signature }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(native === null ? {} : { native }),
  };
}

function factsOf(run: AgentRun, { usage }: Answer): MessageFacts {
  if (usage === null) return {};
  const cost = costOf(usage, run.model.descriptor);
  if (cost === null) return { usage };
  return { usage, cost: cost.amount, ...(cost.currency === null ? {} : { currency: cost.currency }) };
}

function phase(run: AgentRun, name: "context" | "model" | "tools"): void {
  run.events.emit({ kind: "turn_phase", phase: name, ...speaker(run) });
}
