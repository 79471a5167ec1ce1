/** ask: questions to the person. */
import type { Question } from "@reasonix-ts/events";
import { boolean, list, nonEmpty, object, optional } from "@reasonix-ts/protocol";
import { defineTool, done, refused } from "./tool.ts";

export const askTool = defineTool({
  name: "ask",
  description: "Ask the person one or more questions and wait for the answers. Only for what you cannot find out.",
  arguments: object({
    questions: list(object({ question: nonEmpty, options: optional(list(nonEmpty)), multiple: optional(boolean) })),
  }),
  notes: { questions: "Each with its text, and with options to choose from where there are some." },
  readOnly: false,
  subject: () => ({ kind: "nothing" }),
  async run({ questions }, { services: { person }, signal }) {
    if (questions.length === 0) return refused("questions is empty; ask at least one.");
    if (!person.present) return refused("Nobody is here to answer. Decide yourself, and say what you assumed.");
    const asked = questions.map(({ question, options, multiple }, index): Question => ({
      key: `q${index + 1}`,
      kind: options === undefined ? "input" : multiple === true ? "multiselect" : "select",
      label: question,
      ...(options === undefined ? {} : { options }),
    }));
    const answer = await person.ask({ questions: asked }, { signal });
    if (answer.kind === "cancelled") return refused("The person did not answer.");
    return done(asked.map(({ key, label }) => `${label}\n${shown(answer.values[key])}`).join("\n\n"));
  },
});

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "(nothing chosen)" : value.join(", ");
  if (value === undefined || value === "") return "(no answer)";
  return typeof value === "string" ? value : JSON.stringify(value);
}
