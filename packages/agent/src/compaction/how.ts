/** Folds a part of a conversation into a summary, through the two compaction points and their slot. */
import { askModel } from "../ask-model.ts";
import * as points from "../points.ts";
import { scopeOf, speaker, type AgentRun } from "../run.ts";
import type { FoldRange } from "./when.ts";
import type { ModelRequest, StoredMessage } from "../ports.ts";

/** Who speaks in `_meta` and events when the compaction asks the model. */
const COMPACTION_AGENT = "compaction";

export type CompactionResult =
  | { readonly kind: "folded"; readonly summary: string; readonly folded: number }
  | { readonly kind: "skipped"; readonly why: string };

/** A compaction that cannot be done is skipped with its cause; the conversation then stays as it was. */
export async function compact(run: AgentRun, range: FoldRange, guidance: string): Promise<CompactionResult> {
  const { events, conversation } = run;
  const part = conversation.messages.slice(range.from, range.to);
  events.emit({ kind: "turn_phase", phase: "compaction", ...speaker(run) });
  events.emit({ kind: "compaction_started", messages: part.length, ...speaker(run) });
  const result = await summaryOf(run, range, part, guidance);
  if (result.kind === "folded") await conversation.fold(range, result.summary);
  run.prefixWatch?.forget();
  events.emit({
    kind: "compaction_done",
    text: result.kind === "folded" ? result.summary : "",
    folded: result.kind === "folded" ? result.folded : 0,
    ...(result.kind === "skipped" ? { skipped: result.why } : {}),
    ...speaker(run),
  });
  return result;
}

async function summaryOf(
  run: AgentRun,
  range: FoldRange,
  part: readonly StoredMessage[],
  guidance: string,
): Promise<CompactionResult> {
  const prepared = await points.compactionPrepare(run.lease, { messages: part, guidance }, scopeOf(run));
  if (prepared.kind !== "proceed") return { kind: "skipped", why: prepared.text };
  const asked = await askForSummary({ ...run, agent: COMPACTION_AGENT }, range, prepared.value);
  if (asked.kind === "skipped") return asked;
  const completed = await points.compactionComplete(run.lease, asked.text, scopeOf(run));
  if (completed.kind !== "proceed") return { kind: "skipped", why: completed.text };
  if (completed.value.trim() === "") return { kind: "skipped", why: "The summary came out empty." };
  return { kind: "folded", summary: completed.value, folded: part.length };
}

type Summary = { readonly kind: "text"; readonly text: string } | Extract<CompactionResult, { kind: "skipped" }>;

/** The request begins as every other one does, so that the provider's cache serves it; it passes the same points. */
async function askForSummary(run: AgentRun, range: FoldRange, fold: points.Fold): Promise<Summary> {
  const messages: readonly StoredMessage[] = [
    { role: "system", content: run.system },
    ...run.conversation.messages.slice(0, range.from),
    ...fold.messages,
    { role: "user", content: instruction(fold.guidance) },
  ];
  const context = await points.contextPrepare(run.lease, messages, scopeOf(run));
  if (context.kind !== "proceed") return { kind: "skipped", why: context.text };
  const scope = scopeOf(run, { modelRef: run.model.ref });
  const wanted: ModelRequest = { messages: context.value, tools: run.tools.schemas, maxTokens: 0 };
  const request = await points.providerRequest(run.lease, wanted, scope);
  if (request.kind !== "proceed") return { kind: "skipped", why: request.text };
  const asked = await askModel(run, request.value);
  if (asked.kind !== "answered") return { kind: "skipped", why: asked.text };
  const response = await points.providerResponse(run.lease, asked.answer, scope);
  if (response.kind !== "proceed") return { kind: "skipped", why: response.text };
  return { kind: "text", text: response.value.text };
}

function instruction(guidance: string): string {
  const heed = guidance === "" ? "" : `\nHeed in particular: ${guidance}`;
  return (
    "The conversation gets too long. Write a summary that takes the place of everything after the first message, for " +
    "yourself, to go on from. Say what the person wants, what was decided and why, which files were read and changed " +
    "and how they stand now, what was tried and failed, and what comes next. Keep names, paths, numbers and errors " +
    `exact. Call no tool; answer with the summary alone.${heed}`
  );
}
