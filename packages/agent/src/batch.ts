/** Runs the calls of one answer: judged one by one in call order, executed in parallel where they only read. */
import { finishCall, judgeCall, NOT_RUN, runCall, type PassedCall, type WantedCall } from "./gate.ts";
import type { RepeatWatch } from "./limits.ts";
import type { StoredMessage } from "./ports.ts";
import { speaker, type AgentRun } from "./run.ts";
import { refused, type ToolOutput } from "./tools/tool.ts";

export interface BatchEnd {
  /** One for each call, in call order. */
  readonly results: readonly StoredMessage[];
  /** Why the turn must end; null where it goes on. */
  readonly stop: string | null;
}

/** A call that was judged: it runs with the others that wait, or has its answer already. */
interface Waiting {
  readonly wanted: WantedCall;
  readonly judged: PassedCall | { readonly kind: "answered"; readonly output: ToolOutput; readonly repeated: boolean };
}

export async function runBatch(run: AgentRun, calls: readonly WantedCall[], repeats: RepeatWatch): Promise<BatchEnd> {
  const results: StoredMessage[] = [];
  let waiting: Waiting[] = [];
  let stop: string | null = null;

  /** Executes what was judged so far, in parallel; tool.after and the results come in call order again. */
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const started = run.clock.now();
    const running = batch.map((entry) => ({
      ...entry,
      output: entry.judged.kind === "passed" ? runCall(run, entry.judged) : Promise.resolve(entry.judged.output),
    }));
    for (const { wanted, judged, output } of running) {
      const finished = judged.kind === "passed" ? await finishCall(run, judged, await output) : await output;
      repeats.after(wanted.name, wanted.arguments, finished.text, judged.kind === "answered" && judged.repeated);
      results.push(resultMessage(wanted, finished));
      showResult(run, wanted, finished, run.clock.now() - started);
    }
  };

  for (const wanted of calls) {
    if (run.tools.find(wanted.name)?.readOnly !== true) await flush();
    const { id: callId, name, arguments: args } = wanted;
    run.events.emit({ kind: "tool_dispatch", callId, name, arguments: args, ...speaker(run) });
    const answer = (text: string, isRepeated = false): void => {
      waiting.push({ wanted, judged: { kind: "answered", output: refused(text), repeated: isRepeated } });
    };
    const again = repeats.before(name, args);
    if (run.signal.aborted) {
      answer(NOT_RUN);
    } else if (again !== "run") {
      answer(repeated(name), true);
      if (again === "stop") stop = `The model called ${name} with the same arguments again and again.`;
    } else {
      const judged = await judgeCall(run, wanted);
      if (judged.kind === "refused") {
        answer(judged.text);
        continue;
      }
      // tool.before may have made another tool of it: one that changes something runs alone.
      if (!judged.tool.readOnly) await flush();
      waiting.push({ wanted, judged });
      if (!judged.tool.readOnly) await flush();
    }
  }
  await flush();
  return { results, stop };
}

function showResult(run: AgentRun, wanted: WantedCall, output: ToolOutput, elapsedMillis: number): void {
  const { text, isError, detail } = output;
  run.events.emit({
    kind: "tool_result",
    callId: wanted.id,
    name: wanted.name,
    text,
    isError,
    elapsedMillis,
    ...(detail === undefined ? {} : { detail }),
    ...speaker(run),
  });
}

function resultMessage(wanted: WantedCall, { text, images }: ToolOutput): StoredMessage {
  return {
    role: "tool",
    tool_call_id: wanted.id,
    name: wanted.name,
    content: text,
    ...(images === undefined || images.length === 0 ? {} : { images }),
  };
}

function repeated(name: string): string {
  return (
    `${name} was not run again: the same call brought the same result several times in a row. ` +
    "Try something else, or say what is in the way."
  );
}
