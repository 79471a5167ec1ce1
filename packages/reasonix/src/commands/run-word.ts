/** `reasonix run "/<plugin>:<name> …"`: an action is run by its extension; a prompt, command or skill becomes the task. */
import type { Parsed } from "../args.ts";
import type { Prepared } from "../compose.ts";
import { actionArgs } from "../conversation/action-args.ts";
import type { Frontend } from "../frontend.ts";
import { actionText, findPluginWord, type PluginWord } from "../plugin-word.ts";
import { refusalText } from "../session-runtime.ts";
import { CommandError, EXIT } from "../world.ts";

export type RanWord =
  /** The word stands for this message. */
  | { readonly kind: "task"; readonly text: string }
  /** It was an action: no session was opened, and no model was asked. */
  | { readonly kind: "action"; readonly exitCode: number };

/** Rejects with what to type instead where no plugin offers the word. */
export async function runWord(
  word: PluginWord,
  { extensions, failures, paths }: Prepared,
  options: { readonly parsed: Parsed; readonly frontend: Frontend; readonly signal: AbortSignal },
): Promise<RanWord> {
  if (failures.length > 0) throw new CommandError(refusalText(failures));
  const home = options.parsed.flag("safe") ? null : paths.home;
  const found = await findPluginWord(word, { actions: extensions.actions, home });
  switch (found.kind) {
    case "message":
      return { kind: "task", text: found.text };
    case "unknown":
      throw new CommandError(`${found.text} \`reasonix extensions\` tells what is loaded.`, EXIT.usage);
    case "action":
      return { kind: "action", exitCode: await act(word, extensions, options) };
  }
}

/** What the action says is its answer: it goes where a model's would. */
async function act(
  word: PluginWord,
  extensions: Prepared["extensions"],
  { frontend, signal }: { readonly frontend: Frontend; readonly signal: AbortSignal },
): Promise<number> {
  const { plugin, name: actionId, rest } = word;
  const startedAt = performance.now();
  const result = await extensions.runAction({ plugin, actionId }, actionArgs(rest), { signal });
  const isDone = result.kind === "answered" && result.accepted;
  const text = actionText(word, result);
  if (isDone) frontend.emit({ kind: "text", text });
  const elapsedMillis = Math.round(performance.now() - startedAt);
  frontend.emit({ kind: "turn_done", outcome: isDone ? "done" : "failed", text, steps: 0, elapsedMillis });
  return isDone ? EXIT.done : EXIT.failed;
}
