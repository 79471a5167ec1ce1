/** One request to the model: streams the answer to the frontend, and keeps what came when it breaks off. */
import { AnswerCollector, EMPTY_ANSWER, type Answer } from "./answer.ts";
import { costOf } from "./models/cost.ts";
import { isModelFailure, ModelFailure } from "./models/failure.ts";
import { streamWithRetry } from "./models/retry.ts";
import type { ModelRequest } from "./ports.ts";
import { speaker, type AgentRun } from "./run.ts";

export type Asked =
  | { readonly kind: "answered"; readonly answer: Answer }
  /** `answer` holds what came before the end. */
  | { readonly kind: "failed" | "interrupted"; readonly answer: Answer; readonly text: string };

/** Throws only what is no failure of a model: a defect. */
export async function askModel(run: AgentRun, request: ModelRequest): Promise<Asked> {
  const { model, events, clock, signal } = run;
  const collector = new AnswerCollector();
  const fail = (code: string, message: string): Error =>
    new ModelFailure(message, {
      kind: code === "provider_interrupted" ? "interrupted" : "failed",
      providerRef: model.ref,
    });
  try {
    const stream = streamWithRetry(model, request, {
      clock,
      signal,
      sessionId: run.sessionId,
      ...(run.effort === null ? {} : { effort: run.effort }),
      onAttempt: (attempt) => events.emit({ kind: "stream_attempt", attempt, model: model.ref, ...speaker(run) }),
      onRetry: ({ attempt, delayMillis, failure }) =>
        events.emit({ kind: "retrying", attempt, delayMillis, text: failure.message, ...speaker(run) }),
    });
    for await (const batch of stream) {
      for (const delta of collector.add(batch, fail)) events.emit({ ...delta, ...speaker(run) });
    }
  } catch (error) {
    if (!isModelFailure(error) && !signal.aborted) throw error;
    count(run, collector.read());
    const kind = signal.aborted ? "interrupted" : "failed";
    const text = signal.aborted ? "The turn was interrupted." : error instanceof Error ? error.message : String(error);
    // A half-received answer calls no tool, also where some of its calls came whole.
    return { kind, answer: { ...collector.read(), calls: [], native: EMPTY_ANSWER.native }, text };
  }
  const answer = collector.read();
  count(run, answer);
  return { kind: "answered", answer };
}

function count(run: AgentRun, { usage }: Answer): void {
  const cost = costOf(usage, run.model.descriptor);
  run.meter.add(usage, cost);
  if (usage === null) return;
  run.events.emit({
    kind: "usage",
    usage,
    ...(cost === null ? {} : { cost: cost.amount }),
    ...(cost === null || cost.currency === null ? {} : { currency: cost.currency }),
    ...speaker(run),
  });
}
