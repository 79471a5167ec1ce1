/** task: a piece of work for a sub-agent with a conversation of its own. */
import { nonEmpty, object, optional } from "@reasonix-ts/protocol";
import { defineTool, refused, type Tool } from "./tool.ts";

/** The sub-agents that a session offers by name are part of the description, so that the model knows them. */
export function taskTool(agents: readonly { readonly name: string; readonly description: string }[]): Tool {
  const offered = agents.map(({ name, description }) => `\n- ${name}: ${description}`).join("");
  return defineTool({
    name: "task",
    description:
      "Give a self-contained piece of work to a sub-agent. It sees nothing of this conversation, works with the same " +
      `tools, and only its last answer comes back.${offered === "" ? "" : `\nSub-agents by name:${offered}`}`,
    arguments: object({ description: nonEmpty, prompt: nonEmpty, agent: optional(nonEmpty) }),
    notes: {
      description: "The work in a few words, for people.",
      prompt: "The whole task, with all that the sub-agent has to know.",
      agent: "Name of a sub-agent that this session offers; a general one when absent.",
    },
    readOnly: false,
    subject: () => ({ kind: "nothing" }),
    async run({ prompt, agent }, { services, callId, signal }) {
      if (services.runSubagent === null)
        return refused("A sub-agent starts no further sub-agents; do the work yourself.");
      return await services.runSubagent({ agent: agent ?? null, prompt }, { callId, signal });
    },
  });
}
