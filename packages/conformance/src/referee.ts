/** Judges one program: learns what it declares, then tries every check that applies on a fresh process. */
import { randomUUID } from "node:crypto";
import {
  isPointName,
  parseSlot,
  POINT_NAMES,
  POINTS,
  type InitializeResult,
  type PointName,
  type PointRow,
} from "@reasonix-ts/protocol";
import type { Arena, Check, Facts, Outcome, Verdict } from "./checks/check.ts";
import { judgeDeclaration } from "./checks/judge-handshake.ts";
import { Finding, type FindingFacts } from "./finding.ts";
import type { Expectation } from "./play/expectation.ts";
import { Play } from "./play/play.ts";
import type { Program } from "./wire/program.ts";

export interface RefereeOptions {
  readonly program: Program;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly expectation: Expectation;
  readonly checks: readonly Check[];
  /** Stands for every wait, in milliseconds; null for the contract's own. */
  readonly timeout: number | null;
  readonly onVerdict?: (verdict: Verdict) => void;
}

export interface Judgement {
  /** Null when the program did not get through its handshake. */
  readonly declaration: InitializeResult | null;
  readonly verdicts: readonly Verdict[];
}

const START = 30_000;
const SETTLE = 2_000;

/** Never rejects because of what the program does. */
export async function judge(options: RefereeOptions): Promise<Judgement> {
  const facts = await learn(options);
  const verdicts: Verdict[] = [];
  for (const check of options.checks) {
    const verdict = await tryCheck(check, facts, options);
    verdicts.push(verdict);
    options.onVerdict?.(verdict);
  }
  return { declaration: facts?.declaration ?? null, verdicts };
}

async function learn(options: RefereeOptions): Promise<Facts | null> {
  const play = new Play({ ...options, secret: randomUUID() });
  try {
    const answer = await play.call("extension/initialize", play.initializeParams(), options.timeout ?? START);
    return factsOf(options.expectation, judgeDeclaration(answer));
  } catch (error) {
    if (error instanceof Finding) return null;
    throw error;
  } finally {
    play.close();
  }
}

/** What a declaration makes of an expectation: an absent or empty list means all of the manifest's. */
function factsOf(expectation: Expectation, declaration: InitializeResult): Facts {
  const { subscriptions = [], replaces = [], providers = [], uiActions = [], tools = [] } = declaration;
  const subscribed = subscriptions.length === 0 ? expectation.intercepts : subscriptions.filter(isPointName);
  const slots = replaces.length === 0 ? expectation.replaces : replaces;
  const owned = POINT_NAMES.filter((point) => ownsAt(point, slots));
  const points = POINT_NAMES.filter((point) => subscribed.includes(point) || owned.includes(point));
  const served = expectation.tools.filter(({ name }) => tools.length === 0 || tools.includes(name));
  return {
    expectation,
    declaration,
    points,
    providers: providers.map(({ ref }) => ref),
    actions: uiActions.map(({ actionId }) => actionId),
    tools: expectation.capabilities.includes("tools") ? served : [],
  };
}

function ownsAt(point: PointName, slots: readonly string[]): boolean {
  const row: PointRow = POINTS[point];
  const kinds = slots.flatMap((slot) => parseSlot(slot)?.kind ?? []);
  return row.slots.some((kind) => kinds.includes(kind));
}

async function tryCheck(check: Check, facts: Facts | null, options: RefereeOptions): Promise<Verdict> {
  const started = performance.now();
  const outcome = await outcomeOf(check, facts, options);
  const { id, title, level, cites } = check;
  return { check: { id, title, level, cites }, outcome, millis: Math.round(performance.now() - started) };
}

async function outcomeOf(check: Check, facts: Facts | null, options: RefereeOptions): Promise<Outcome> {
  if (facts === null && check.id !== "handshake.declaration" && check.id !== "handshake.silence")
    return { kind: "skipped", why: "the handshake failed" };
  const known = facts ?? factsOf(options.expectation, UNKNOWN);
  const why = check.unless?.(known) ?? null;
  if (why !== null) return { kind: "skipped", why };
  const plays: Play[] = [];
  try {
    const remark = await check.run(arenaOf(known, options, plays));
    await Promise.all(plays.map((play) => play.settle(SETTLE)));
    const fault = firstFault(plays);
    return fault === null ? { kind: "passed", remark: remark ?? null } : { kind: "failed", finding: fault };
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    // What went wrong on the way explains what did not come.
    return { kind: "failed", finding: firstFault(plays) ?? error.facts };
  } finally {
    for (const play of plays) play.close();
  }
}

const UNKNOWN: InitializeResult = { name: "unknown", version: "0", protocolVersion: "2", stateSchemaVersion: 0 };

function arenaOf(facts: Facts, options: RefereeOptions, plays: Play[]): Arena {
  const within = (millis: number): number => options.timeout ?? millis;
  const start = (): Play => {
    const play = new Play({ ...options, secret: `sk-conformance-${randomUUID()}` });
    plays.push(play);
    return play;
  };
  return {
    facts,
    start,
    within,
    async ready() {
      const play = start();
      judgeDeclaration(await play.call("extension/initialize", play.initializeParams(), within(START)));
      play.openBarrier();
      return play;
    },
  };
}

function firstFault(plays: readonly Play[]): FindingFacts | null {
  return plays.flatMap(({ faults }) => faults)[0] ?? null;
}
