/** The one gate on every road to a tool: tool.before, permission.decision, the person, the run, tool.after. */
import { didYouMean, formatBytes } from "@reasonix-ts/text";
import { orAbandoned } from "./abandon.ts";
import * as points from "./points.ts";
import type { PermissionWord, ToolCallText } from "./points.ts";
import type { Verdict } from "./permissions/policy.ts";
import { scopeOf, speaker, type AgentRun } from "./run.ts";
import { parseArguments, type PreparedCall, type Tool, type ToolOutput } from "./tools/tool.ts";

/** A call as the model wrote it. */
export interface WantedCall extends ToolCallText {
  readonly id: string;
}

/** A call that passed: it may run, as it stands here. */
export interface PassedCall {
  readonly kind: "passed";
  readonly id: string;
  readonly tool: Tool;
  /** What runs, after tool.before. */
  readonly text: ToolCallText;
  readonly prepared: PreparedCall;
}

export interface RefusedCall {
  readonly kind: "refused";
  readonly id: string;
  readonly name: string;
  /** Why, for the model and the person. */
  readonly text: string;
}

/** Judges one call. Calls of a batch are judged one at a time, in call order. */
export async function judgeCall(run: AgentRun, wanted: WantedCall): Promise<PassedCall | RefusedCall> {
  const refuse = (text: string): RefusedCall => ({ kind: "refused", id: wanted.id, name: wanted.name, text });
  if (run.tools.find(wanted.name) === undefined) return refuse(unknownTool(run, wanted.name));
  const parsed = parseArguments(wanted.arguments);
  if (!parsed.ok) return refuse(`${wanted.name} was not run: ${parsed.problem}.`);

  const asWritten = { name: wanted.name, arguments: wanted.arguments.trim() === "" ? "{}" : wanted.arguments };
  const asked = points.toolBefore(run.lease, asWritten, scopeOf(run, { callId: wanted.id }));
  const before = points.isPending(asked) ? await asked : asked;
  if (before.kind !== "proceed") return refuse(before.text);
  const text = before.value;
  const tool = run.tools.find(text.name);
  if (tool === undefined) return refuse(unknownTool(run, text.name));
  const changed = text.arguments === asWritten.arguments ? parsed : parseArguments(text.arguments);
  const by = before.changedBy.length === 0 ? "" : ` (arguments as changed by ${before.changedBy.join(", ")})`;
  if (!changed.ok) return refuse(`${text.name} was not run: ${changed.problem}${by}.`);
  const preparing = tool.prepare(changed.value);
  const preparation = points.isPending(preparing) ? await preparing : preparing;
  if (!preparation.ok) return refuse(`${text.name} was not run: ${preparation.problem}${by}.`);

  const refusal = await decide(run, wanted.id, tool, text, preparation.call);
  if (refusal !== null) return refuse(refusal);
  return { kind: "passed", id: wanted.id, tool, text, prepared: preparation.call };
}

/** Runs a call that passed. Never throws: a tool that fails is a result with `isError`. */
export async function runCall(run: AgentRun, call: PassedCall): Promise<ToolOutput> {
  const { events, services, signal } = run;
  const { name } = call.text;
  if (signal.aborted) return { text: NOT_RUN, isError: true };
  let shown = 0;
  events.emit({ kind: "tool_started", callId: call.id, name, arguments: call.text.arguments, ...speaker(run) });
  try {
    const running = call.prepared.run({
      callId: call.id,
      agent: run.agent,
      services,
      lease: run.lease,
      progress: (text) => {
        // A command that floods its output is seen whole in the result; a frontend need not follow it live.
        if (text === "" || shown >= PROGRESS_CHARACTERS) return;
        shown += text.length;
        events.emit({ kind: "tool_progress", callId: call.id, name, text, ...speaker(run) });
      },
      signal,
    });
    return await orAbandoned(running, signal, run.limits.interruptionMillis);
  } catch (error) {
    if (signal.aborted) return { text: `${name} was interrupted; what it did until then is not known.`, isError: true };
    return { text: `${name} failed: ${error instanceof Error ? error.message : String(error)}`, isError: true };
  }
}

/** Shown of a running tool's output. */
const PROGRESS_CHARACTERS = 200_000;

export const NOT_RUN = "The turn was interrupted before this call ran.";

/** Shows a finished call to tool.after, and cuts what the model gets to size. */
export async function finishCall(run: AgentRun, call: PassedCall, output: ToolOutput): Promise<ToolOutput> {
  const { text: result, isError } = output;
  const scope = scopeOf(run, { callId: call.id });
  const asked = points.toolAfter(run.lease, call.text, { result, isError }, scope);
  const after = points.isPending(asked) ? await asked : asked;
  if (after.kind !== "proceed") return { text: after.text, isError: true };
  const ruled = { ...output, text: after.value.result, isError: after.value.isError };
  return { ...ruled, text: await cut(run, call, ruled.text) };
}

/** Null where the call may run, else why not. */
async function decide(
  run: AgentRun,
  callId: string,
  tool: Tool,
  text: ToolCallText,
  prepared: PreparedCall,
): Promise<string | null> {
  const verdict = await run.permissions.judge(tool, prepared.subject);
  const asked = points.permissionDecision(
    run.lease,
    { ...text, readOnly: tool.readOnly, hostDecision: verdict.decision === "allow" ? "allow" : "deny" },
    scopeOf(run, { callId, verdict: verdict.words }),
  );
  const ruled = points.isPending(asked) ? await asked : asked;
  if (ruled.kind !== "proceed") return ruled.text;
  const word = ruled.value;
  if (word?.decision === "deny")
    return `Denied by ${word.plugin}: ${word.reason === "" ? "no reason given" : word.reason}`;
  if (word?.decision === "allow") {
    if (word.overruled) await showOverruling(run, text, verdict, word);
    return null;
  }
  switch (verdict.decision) {
    case "allow":
      return null;
    case "deny":
      return `${text.name} was refused: ${verdict.why}.`;
    case "ask":
      return await askPerson(run, text, prepared, verdict);
  }
}

async function showOverruling(
  run: AgentRun,
  text: ToolCallText,
  verdict: Verdict,
  word: PermissionWord,
): Promise<void> {
  const why = word.reason === "" ? "" : ` Reason: ${word.reason}`;
  const note = `${word.plugin} allowed ${text.name}, overruling "${verdict.words}" (${verdict.why}).${why}`;
  run.events.emit({ kind: "notice", severity: "warn", text: note, plugin: word.plugin, ...speaker(run) });
  await run.note(note);
}

async function askPerson(
  run: AgentRun,
  text: ToolCallText,
  prepared: PreparedCall,
  verdict: Verdict,
): Promise<string | null> {
  if (!run.person.present) {
    return (
      `${text.name} was refused: ${verdict.why}, and nobody is here to be asked. ` +
      "Add a permission rule that allows it, or choose another permission mode."
    );
  }
  const rule = verdict.suggested.join(", ");
  const answer = await run.person.askPermission(
    { tool: text.name, summary: summaryOf(text, prepared), why: verdict.why, ...(rule === "" ? {} : { rule }) },
    { signal: run.signal },
  );
  switch (answer) {
    case "no":
      return `${text.name} was refused by the person.`;
    case "once":
      return null;
    case "session":
    case "always":
      await run.permissions.grant(verdict.suggested, answer);
      return null;
  }
}

function summaryOf(text: ToolCallText, { subject }: PreparedCall): string {
  switch (subject.kind) {
    case "command":
      return subject.command;
    case "read":
    case "write":
      return subject.paths.join(", ");
    case "fetch":
      return subject.url;
    case "nothing":
    case "foreign":
      return text.arguments;
  }
}

function unknownTool(run: AgentRun, name: string): string {
  return `There is no tool ${JSON.stringify(name)}.${didYouMean(name, run.tools.names)} Tools: ${run.tools.names.join(", ")}.`;
}

/** Characters of a result that the model sees; of a longer one it sees the beginning and the end. */
const RESULT_CHARACTERS = 30_000;

async function cut(run: AgentRun, call: PassedCall, text: string): Promise<string> {
  if (text.length <= RESULT_CHARACTERS) return text;
  const { keepResult } = await import("./tools/results.ts");
  const file = await keepResult(run.services.resultsDir, call.id, text);
  const half = RESULT_CHARACTERS / 2;
  const left = text.length - 2 * half;
  const where = `${left} characters left out; all ${formatBytes(Buffer.byteLength(text))} are in ${file}`;
  return `${whole(text.slice(0, half))}\n[${where}]\n${whole(text.slice(-half))}`;
}

/** A cut must not leave half of a surrogate pair. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}
