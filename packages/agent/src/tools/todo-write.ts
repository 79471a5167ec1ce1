/** todo_write: the list of steps that the model keeps and people see. */
import { list, nonEmpty, object, oneOf } from "@reasonix-ts/protocol";
import { defineTool, done } from "./tool.ts";

const MARKS = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

export const todoWriteTool = defineTool({
  name: "todo_write",
  description:
    "Keep a list of the steps of a longer task. Each call gives the whole list; at most one step is in progress.",
  arguments: object({
    todos: list(object({ content: nonEmpty, status: oneOf(["pending", "in_progress", "completed"]) })),
  }),
  notes: { todos: "The whole list, in order." },
  readOnly: false,
  subject: () => ({ kind: "nothing" }),
  async run({ todos }, { services }) {
    services.setTodos(todos);
    if (todos.length === 0) return done("The list is empty.");
    return done(todos.map((todo) => `${MARKS[todo.status]} ${todo.content}`).join("\n"));
  },
});
