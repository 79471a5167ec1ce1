/** What every frontend keeps to, as tests that each of them joins. */
import type { AgentEvent, EventKind, Surface } from "@reasonix-ts/events";
import { EVENT_KINDS } from "@reasonix-ts/events";
import { expect, test } from "vitest";
import type { Frontend } from "../src/frontend.ts";

export interface Subject {
  readonly frontend: Frontend;
  /** Everything that was written so far. */
  readonly output: () => string;
}

export interface ContractOptions {
  /** Whether a person can be asked; what they answer then is nothing at all. */
  readonly present: boolean;
  /** Whether it shows the answer while it comes, and not only at the end. */
  readonly streams: boolean;
  /** Whether it shows lines for people, which repeat nothing, or all events for programs. */
  readonly reader: "people" | "programs";
}

/** An event of each kind, with texts that a terminal must not obey. */
const NASTY = "nice\u001b]52;c;aGk=\u0007 text\u001b[2J\u009b2J";
const usage = {
  promptTokens: 1,
  completionTokens: 2,
  totalTokens: 3,
  cacheHitTokens: 0,
  cacheMissTokens: 1,
  reasoningTokens: 0,
};
const SAMPLES: { readonly [K in EventKind]: Extract<AgentEvent, { kind: K }> } = {
  turn_status: { kind: "turn_status", status: "working" },
  turn_started: { kind: "turn_started", turnId: "t1", model: "offline/scripted" },
  turn_phase: { kind: "turn_phase", phase: "model" },
  user_message: { kind: "user_message", text: "typed", sent: NASTY, changedBy: ["plugin"] },
  stream_attempt: { kind: "stream_attempt", attempt: 1, model: "offline/scripted" },
  reasoning: { kind: "reasoning", text: NASTY },
  text: { kind: "text", text: NASTY },
  message: { kind: "message", text: NASTY, replaced: true },
  usage: { kind: "usage", usage },
  tool_dispatch: { kind: "tool_dispatch", callId: "c1", name: "bash", arguments: "{}" },
  tool_started: { kind: "tool_started", callId: "c1", name: "bash", arguments: `{"command":${JSON.stringify(NASTY)}}` },
  tool_progress: { kind: "tool_progress", callId: "c1", name: "bash", text: NASTY },
  tool_result: { kind: "tool_result", callId: "c1", name: "bash", text: NASTY, isError: true, elapsedMillis: 1500 },
  notice: { kind: "notice", severity: "warn", text: NASTY, plugin: "plugin" },
  retrying: { kind: "retrying", attempt: 2, delayMillis: 500, text: NASTY },
  ask_request: { kind: "ask_request", id: "q1", source: "tool", questions: [] },
  prompt_answered: { kind: "prompt_answered", id: "q1", cancelled: true },
  compaction_started: { kind: "compaction_started", messages: 3 },
  compaction_done: { kind: "compaction_done", text: "", folded: 0, skipped: NASTY },
  context_maintenance: { kind: "context_maintenance", text: NASTY },
  extension_status: { kind: "extension_status", plugin: "plugin", state: "benched", text: NASTY },
  extension_surface: { kind: "extension_surface", surface: status("17 %") },
  turn_done: { kind: "turn_done", outcome: "failed", text: NASTY, steps: 1, elapsedMillis: 20 },
};

export function keepsTheContract(name: string, open: () => Subject, options: ContractOptions): void {
  test(`[U7] ${name} takes an event of every kind and drops one that it does not know`, () => {
    const { frontend, output } = open();
    for (const kind of EVENT_KINDS) frontend.emit(SAMPLES[kind]);
    const before = output();
    const unknown: { readonly kind: string; readonly text: string } = { kind: "from_the_future", text: "unheard of" };
    // What a newer agent would send is outside of the type on purpose.
    frontend.emit(unknown as AgentEvent);
    frontend.close();
    expect(output().startsWith(before)).toBe(true);
    expect(output()).not.toContain("unheard of");
    expect(output()).not.toContain("from_the_future");
  });

  test(`[case U-02] ${name} lets no control character out but line ends and tabs`, () => {
    const { frontend, output } = open();
    for (const kind of EVENT_KINDS) frontend.emit(SAMPLES[kind]);
    frontend.close();
    expect(output()).not.toBe("");
    // oxlint-disable-next-line no-control-regex -- that there is none is the point
    expect(output()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  test(`${name} keeps the order of events, and the pieces of an answer together`, () => {
    const { frontend, output } = open();
    frontend.emit(SAMPLES.turn_started);
    frontend.emit({ kind: "text", text: "one " });
    frontend.emit({ kind: "text", text: "two" });
    if (options.streams) expect(output()).toContain("one ");
    frontend.emit({ kind: "message", text: "one two" });
    frontend.emit({ kind: "notice", severity: "info", text: "afterwards" });
    frontend.emit({ kind: "turn_done", outcome: "done", text: "one two", steps: 1, elapsedMillis: 1 });
    frontend.close();
    const text = output();
    if (options.reader === "people") expect(text.trimEnd()).toBe("one two\nafterwards");
    else expect(text).toContain("one two");
    expect(text).toContain("afterwards");
  });

  test(`[case U-04] ${name} ends on the last value of a status that changes fifty times`, () => {
    const { frontend, output } = open();
    for (let percent = 1; percent <= 50; percent++) {
      frontend.emit({ kind: "extension_surface", surface: status(`${percent} of 50`) });
    }
    frontend.close();
    if (options.reader === "programs") return;
    const lines = output().trimEnd().split("\n");
    expect(lines).toEqual(["[plugin] index: 1 of 50", "[plugin] index: 50 of 50"]);
  });

  test(`[case U-06] ${name} never says yes where nobody does`, async () => {
    const { frontend } = open();
    const { person } = frontend;
    expect(person.present).toBe(options.present);
    const question = { key: "k", kind: "confirm", label: "Really?" } as const;
    expect(await person.ask({ questions: [question] }, {})).toEqual({ kind: "cancelled" });
    expect(await person.askPermission({ tool: "bash", summary: "rm -rf /", why: "it runs a command" }, {})).toBe("no");
    const given = AbortSignal.abort(new Error("the turn was stopped"));
    expect(await person.ask({ questions: [question] }, { signal: given })).toEqual({ kind: "cancelled" });
    expect(await person.askPermission({ tool: "bash", summary: "x", why: "y" }, { signal: given })).toBe("no");
  });
}

function status(detail: string): Surface {
  return {
    kind: "status",
    plugin: "plugin",
    surfaceId: "index",
    sessionId: "s",
    generation: 1,
    payload: { label: "index", detail },
  };
}
