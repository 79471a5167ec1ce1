/** One turn: pins a generation, receives the input, lets the loop work, saves, and releases what it pinned. */
import { randomUUID } from "node:crypto";
import type { TurnOutcome } from "@reasonix-ts/events";
import type { CompactionResult } from "./compaction/how.ts";
import { runLoop } from "./loop.ts";
import * as points from "./points.ts";
import type { ExtensionLease, Scope } from "./ports.ts";
import type { Pinned } from "./pinned.ts";
import type { SessionCore } from "./session-core.ts";
import { openCallResults } from "./session/replay.ts";

export interface TurnResult {
  readonly turnId: string;
  readonly outcome: TurnOutcome;
  /** The model's answer when done, else the sentence that says what ended the turn. */
  readonly text: string;
  readonly steps: number;
  readonly elapsedMillis: number;
  /** What this turn cost; null where no price is known. */
  readonly cost: number | null;
  readonly currency: string | null;
}

export interface TurnInput {
  /** As it was typed. */
  readonly text: string;
  /** Data URLs for models with vision. */
  readonly images?: readonly string[];
}

/** A compaction between turns pins a generation as a turn does. */
export async function compactOnDemand(
  core: SessionCore,
  guidance: string,
  signal: AbortSignal,
): Promise<CompactionResult> {
  const lease = core.lease();
  core.events.bind(lease);
  try {
    const pinned = await core.pinned.of(lease, { agent: "main", sessionId: core.id, signal });
    if (pinned.kind !== "proceed") return { kind: "skipped", why: pinned.text };
    const result = await core.keeper.compactNow(core.run(lease, pinned.value, signal), guidance);
    await core.save(lease);
    await core.events.drain();
    return result;
  } finally {
    core.events.bind(null);
    lease?.release();
  }
}

type TurnEnd = Pick<TurnResult, "outcome" | "text" | "steps">;

/** Never throws: whatever goes wrong is an outcome with its sentence. */
export async function runTurn(core: SessionCore, input: TurnInput, signal: AbortSignal): Promise<TurnResult> {
  const { clock, events, meter } = core;
  const startedAt = clock.now();
  const turnId = randomUUID();
  const before = meter.spent;
  // A turn pins one generation for its batch, its sub-agents and its compaction.
  const lease = core.lease();
  events.bind(lease);
  core.undo.begin();
  core.keeper.begin();
  try {
    events.emit({ kind: "turn_status", status: "working" });
    events.emit({ kind: "turn_started", turnId, model: core.model.ref });
    const end = await ending(runInput(core, lease, turnId, input, signal), signal);
    await save(core, lease, turnId, end);
    const { usage, cost, currency } = meter.since(before);
    const result: TurnResult = { turnId, ...end, elapsedMillis: clock.now() - startedAt, cost, currency };
    const { outcome, text, steps, elapsedMillis } = result;
    events.emit({
      kind: "turn_done",
      outcome,
      text,
      steps,
      elapsedMillis,
      ...(usage === null ? {} : { usage }),
      ...(cost === null ? {} : { cost }),
      ...(currency === null ? {} : { currency }),
    });
    events.emit({ kind: "turn_status", status: "idle" });
    await events.drain();
    return result;
  } finally {
    events.bind(null);
    lease?.release();
  }
}

async function runInput(
  core: SessionCore,
  lease: ExtensionLease | null,
  turnId: string,
  { text, images }: TurnInput,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const scope: Scope = { agent: "main", sessionId: core.id, signal };
  const ended = (outcome: TurnOutcome, sentence: string): TurnEnd => ({ outcome, text: sentence, steps: 0 });
  const pinned = await core.pinned.of(lease, scope);
  if (pinned.kind !== "proceed") return ended(pinned.kind, pinned.text);

  core.events.emit({ kind: "turn_phase", phase: "input" });
  const receiving = points.inputReceive(lease, text, scope);
  const received = points.isPending(receiving) ? await receiving : receiving;
  if (received.kind !== "proceed") return ended(received.kind, received.text);
  const run = core.run(lease, pinned.value, signal);
  const starting = points.agentBeforeStart(
    lease,
    { sessionId: core.id, model: run.model.ref, toolCount: run.tools.names.length },
    scope,
  );
  const started = points.isPending(starting) ? await starting : starting;
  if (started.kind !== "proceed") return ended(started.kind, started.text);

  core.warnWithoutPrice(run.model);
  await begin(core, pinned.value, turnId);
  const sent = received.value;
  core.events.emit({
    kind: "user_message",
    text,
    ...(sent === text ? {} : { sent, changedBy: received.changedBy }),
  });
  await core.transcript.append(
    { role: "user", content: sent, ...(images === undefined || images.length === 0 ? {} : { images }) },
    sent === text ? {} : { typed: text },
  );
  return await runLoop(run);
}

async function begin(core: SessionCore, pinned: Pinned, turnId: string): Promise<void> {
  await core.transcript.record({ type: "turn", turnId, state: "started", at: core.clock.now() });
  await core.notePrefix(pinned);
}

/** Ends the turn in the transcript, then asks session.save. What cannot be written is told, and the turn's end stands. */
async function save(core: SessionCore, lease: ExtensionLease | null, turnId: string, end: TurnEnd): Promise<void> {
  core.events.emit({ kind: "turn_phase", phase: "saving" });
  try {
    if (core.transcript.state.openTurn === turnId) {
      // An interruption can leave calls without results, which no provider takes.
      for (const result of openCallResults(core.transcript.messages)) await core.transcript.append(result);
      const text = end.outcome === "done" ? {} : { text: end.text };
      await core.transcript.record({ type: "turn", turnId, state: end.outcome, at: core.clock.now(), ...text });
    }
    await core.save(lease);
  } catch (error) {
    core.events.emit({ kind: "notice", severity: "error", text: `The session was not saved: ${sentenceOf(error)}` });
  }
}

/** A defect, a full disk, a person who gave up: the turn ends with the cause and the session goes on. */
async function ending(work: Promise<TurnEnd>, signal: AbortSignal): Promise<TurnEnd> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return { outcome: "interrupted", text: "The turn was interrupted.", steps: 0 };
    return { outcome: "failed", text: sentenceOf(error), steps: 0 };
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
