/** Runs the calls of one answer: judged one by one in call order, executed in parallel where they only read. */
import { finishCall, judgeCall, NOT_RUN, runCall, type PassedCall, type WantedCall } from "./gate.ts";
import type { RepeatWatch } from "./limits.ts";
import type { StoredMessage } from "./ports.ts";
import { speaker, type AgentRun } from "./run.ts";
import type { ToolOutput } from "./tools/tool.ts";

export interface BatchEnd {
  /** One for each call, in call order. */
  readonly results: readonly StoredMessage[];
  /** Why the turn must end; null where it goes on. */
  readonly stop: string | null;
}

interface Waiting {
  readonly call: PassedCall;
  readonly wanted: WantedCall;
  readonly index: number;
}

export async function runBatch(run: AgentRun, calls: readonly WantedCall[], repeats: RepeatWatch): Promise<BatchEnd> {
  const results: (StoredMessage | undefined)[] = calls.map(() => undefined);
  let waiting: Waiting[] = [];
  let stop: string | null = null;

  const settle = (wanted: WantedCall, index: number, output: ToolOutput, since: number, refused: boolean): void => {
    repeats.after(wanted.name, wanted.arguments, output.text, refused);
    results[index] = resultMessage(wanted, output);
    const elapsedMillis = run.clock.now() - since;
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
  };

  /** Executes what was judged so far, in parallel; tool.after comes in call order again. */
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const since = run.clock.now();
    const outputs = batch.length === 1 ? null : await Promise.all(batch.map(({ call }) => runCall(run, call)));
    for (const [at, { call, wanted, index }] of batch.entries()) {
      const output = outputs?.[at] ?? (await runCall(run, call));
      settle(wanted, index, await finishCall(run, call, output), since, false);
    }
  };

  for (const [index, wanted] of calls.entries()) {
    if (run.tools.find(wanted.name)?.readOnly !== true) await flush();
    run.events.emit({
      kind: "tool_dispatch",
      callId: wanted.id,
      name: wanted.name,
      arguments: wanted.arguments,
      ...speaker(run),
    });
    const since = run.clock.now();
    const again = repeats.before(wanted.name, wanted.arguments);
    if (run.signal.aborted) {
      settle(wanted, index, { text: NOT_RUN, isError: true }, since, false);
    } else if (again !== "run") {
      settle(wanted, index, { text: repeated(wanted.name), isError: true }, since, true);
      if (again === "stop") stop = `The model called ${wanted.name} with the same arguments again and again.`;
    } else {
      const judged = await judgeCall(run, wanted);
      if (judged.kind === "refused") {
        settle(wanted, index, { text: judged.text, isError: true }, since, false);
      } else {
        // tool.before may have made another tool of it: one that changes something runs alone.
        if (!judged.tool.readOnly) await flush();
        waiting.push({ call: judged, wanted, index });
        if (!judged.tool.readOnly) await flush();
      }
    }
  }
  await flush();
  return { results: results.filter((message) => message !== undefined), stop };
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
