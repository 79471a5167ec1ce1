/** `--output-format json`: one object when the turn is over. */
import type { AgentEvent, TurnOutcome } from "@reasonix-ts/events";
import type { Usage } from "@reasonix-ts/protocol";
import type { Frontend } from "../frontend.ts";
import { NOBODY } from "../nobody.ts";
import type { ReceiptLine } from "../receipts-file.ts";
import type { Output } from "../world.ts";
import { jsonText } from "../json-text.ts";

/** What `run --output-format json` prints. Absent usage and cost are unknown, not zero; times are milliseconds. */
export interface RunReport {
  readonly outcome: TurnOutcome;
  /** The last answer, or why there is none. */
  readonly text: string;
  readonly model: string;
  readonly sessionId: string;
  readonly input: { readonly typed: string; readonly sent: string; readonly changedBy: readonly string[] };
  readonly steps: number;
  readonly elapsedMillis: number;
  readonly usage?: Usage;
  readonly cost?: number;
  readonly currency?: string;
  /** `arguments` as the model wrote them, `result` as the model saw it. */
  readonly tools: readonly {
    readonly name: string;
    readonly arguments: string;
    readonly result: string;
    readonly isError: boolean;
  }[];
  readonly notices: readonly { readonly severity: string; readonly text: string; readonly plugin?: string }[];
  /** Who ruled at which point of the turn, in order. */
  readonly rulings: readonly ReceiptLine[];
}

/** What the report tells beside the events. */
export interface ReportSources {
  readonly sessionId: () => string;
  readonly rulings: () => readonly ReceiptLine[];
}

type Draft = { -readonly [K in keyof RunReport]?: RunReport[K] };

export function jsonPrinter(stdout: Output, sources: ReportSources): Frontend {
  const fold = reportFold(sources);
  return {
    uiHost: "headless",
    person: NOBODY,
    emit: (event) => fold.take(event),
    close: () => {
      stdout.write(`${jsonText(fold.report(), 2)}\n`);
    },
  };
}

/** Folds a turn's events into its report. */
function reportFold(sources: ReportSources): { take(event: AgentEvent): void; report(): RunReport } {
  const draft: Draft = {};
  const tools: { name: string; arguments: string; result: string; isError: boolean }[] = [];
  const notices: { severity: string; text: string; plugin?: string }[] = [];
  const started = new Map<string, string>();
  return {
    take(event) {
      switch (event.kind) {
        case "turn_started":
          draft.model = event.model;
          return;
        case "user_message":
          draft.input = { typed: event.text, sent: event.sent ?? event.text, changedBy: event.changedBy ?? [] };
          return;
        case "tool_dispatch":
          started.set(event.callId, event.arguments);
          return;
        case "tool_result":
          tools.push({
            name: event.name,
            arguments: started.get(event.callId) ?? "",
            result: event.text,
            isError: event.isError,
          });
          return;
        case "notice":
          notices.push({
            severity: event.severity,
            text: event.text,
            ...(event.plugin === undefined ? {} : { plugin: event.plugin }),
          });
          return;
        case "turn_done":
          draft.outcome = event.outcome;
          draft.text = event.text;
          draft.steps = event.steps;
          draft.elapsedMillis = event.elapsedMillis;
          if (event.usage !== undefined) draft.usage = event.usage;
          if (event.cost !== undefined) draft.cost = event.cost;
          if (event.currency !== undefined) draft.currency = event.currency;
          return;
        default:
          return;
      }
    },
    report: () => ({
      outcome: draft.outcome ?? "failed",
      text: draft.text ?? "",
      model: draft.model ?? "",
      sessionId: sources.sessionId(),
      input: draft.input ?? { typed: "", sent: "", changedBy: [] },
      steps: draft.steps ?? 0,
      elapsedMillis: draft.elapsedMillis ?? 0,
      ...(draft.usage === undefined ? {} : { usage: draft.usage }),
      ...(draft.cost === undefined ? {} : { cost: draft.cost }),
      ...(draft.currency === undefined ? {} : { currency: draft.currency }),
      tools,
      notices,
      rulings: sources.rulings(),
    }),
  };
}
