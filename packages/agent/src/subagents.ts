/** Sub-agents: a conversation of their own, the same model and gate, and one answer back. */
import { didYouMean } from "@reasonix-ts/text";
import { RoomKeeper } from "./compaction/keeper.ts";
import { summaryMessage } from "./compaction/summary.ts";
import type { FoldRange } from "./compaction/when.ts";
import { runLoop } from "./loop.ts";
import * as points from "./points.ts";
import type { StoredMessage } from "./ports.ts";
import { scopeOf, type AgentRun, type Conversation } from "./run.ts";
import type { CompactionSettings } from "./settings.ts";
import type { RunSubagent } from "./tools/services.ts";
import { partOf } from "./tools/tool-set.ts";

/** A sub-agent that a session offers by name. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** Added to the system prompt. */
  readonly instructions: string;
  /** Names of its tools; all of the session's when absent. */
  readonly tools?: readonly string[];
}

/** What a sub-agent that is named nowhere is called. */
const GENERAL = "task";

/** Makes the service behind the `task` tool for the runs of one session. */
export function subagentsOf(
  parent: () => AgentRun,
  definitions: readonly AgentDefinition[],
  compaction: CompactionSettings,
): RunSubagent {
  return async ({ agent, prompt }, { callId, signal }) => {
    const definition = definitions.find((candidate) => candidate.name === agent);
    if (agent !== null && agent !== GENERAL && definition === undefined) {
      const names = [GENERAL, ...definitions.map((candidate) => candidate.name)];
      const text = `There is no sub-agent ${JSON.stringify(agent)}.${didYouMean(agent, names)} Sub-agents: ${names.join(", ")}.`;
      return { text, isError: true };
    }
    const run = childRun(parent(), definition ?? null, compaction, signal);
    const starting = points.agentBeforeStart(
      run.lease,
      { sessionId: run.sessionId, model: run.model.ref, toolCount: run.tools.names.length },
      scopeOf(run, { callId }),
    );
    const started = points.isPending(starting) ? await starting : starting;
    if (started.kind !== "proceed") return { text: started.text, isError: true };
    await run.conversation.append({ role: "user", content: prompt });
    const end = await runLoop(run);
    const steps = end.steps === 1 ? "1 step" : `${end.steps} steps`;
    if (end.outcome === "done")
      return { text: end.text === "" ? `(no answer after ${steps})` : end.text, isError: false };
    return { text: `The sub-agent ${run.agent} ended without an answer after ${steps}: ${end.text}`, isError: true };
  };
}

function childRun(
  parent: AgentRun,
  definition: AgentDefinition | null,
  compaction: CompactionSettings,
  signal: AbortSignal,
): AgentRun {
  const keeper = new RoomKeeper(compaction);
  // Sub-agents do not nest, and only the main agent speaks with the person.
  const offered = (name: string): boolean =>
    name !== "task" && name !== "ask" && name !== "todo_write" && (definition?.tools?.includes(name) ?? true);
  const run: AgentRun = {
    ...parent,
    agent: definition?.name ?? GENERAL,
    system: `${parent.system}\n\n${definition === null ? GENERAL_INSTRUCTIONS : definition.instructions}`,
    tools: partOf(parent.tools, offered),
    conversation: new MemoryConversation(),
    tail: () => null,
    services: { ...parent.services, runSubagent: null },
    prefixWatch: null,
    makeRoom: () => keeper.makeRoom(run),
    counted: (tokens) => keeper.counted(tokens, run.conversation.messages.length),
    signal,
  };
  return run;
}

const GENERAL_INSTRUCTIONS =
  "You work on one task for another agent, which sees only your last answer. Put into it all that was asked for.";

class MemoryConversation implements Conversation {
  readonly messages: StoredMessage[] = [];

  async append(message: StoredMessage): Promise<void> {
    this.messages.push(message);
  }

  async fold({ from, to }: FoldRange, summary: string): Promise<void> {
    this.messages.splice(from, to - from, summaryMessage(summary));
  }
}
