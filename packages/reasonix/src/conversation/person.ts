/** The person at the prompt: permissions and questions, one after another, never answered by an accident. */
import type { Answer, PermissionAnswer, Person } from "@reasonix-ts/agent";
import type { Question } from "@reasonix-ts/events";
import { oneLine, stripControls } from "@reasonix-ts/text";
import { answerOf, isRefused, permissionOf, questionLines } from "./answers.ts";
import type { Terminal } from "./terminal.ts";

/** How often a question is put before an answer that is not understood counts as none. */
const TRIES = 3;

export function personAt(terminal: Pick<Terminal, "say" | "ask">): Person {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  return {
    present: true,
    ask: (request, options) => inTurn(() => ask(terminal, request, options)),
    askPermission: (request, options) => inTurn(() => askPermission(terminal, request, options)),
  };
}

async function askPermission(
  terminal: Pick<Terminal, "say" | "ask">,
  { tool, summary, why, rule }: Parameters<Person["askPermission"]>[0],
  options: { readonly signal?: AbortSignal },
): Promise<PermissionAnswer> {
  if (options.signal?.aborted === true) return "no";
  terminal.say([
    `May ${oneLine(tool)} do this? (${oneLine(why)})`,
    // Whole, whatever its length: what is not seen cannot be allowed.
    ...stripControls(summary)
      .split("\n")
      .map((line) => `  ${line}`),
    ...(rule === undefined
      ? ["y: yes, once   n: no"]
      : ["y: yes, once   s: for this session   a: always here   n: no", `  s and a allow ${oneLine(rule)}`]),
  ]);
  const prompt = rule === undefined ? "y/n> " : "y/s/a/n> ";
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const line = await terminal.ask(prompt, options);
    if (line === null) return "no";
    const answer = permissionOf(line, rule !== undefined);
    if (answer !== null) return answer;
    terminal.say([`Please answer with one of ${prompt.slice(0, -2).split("/").join(", ")}.`]);
  }
  terminal.say(["That counts as no."]);
  return "no";
}

async function ask(
  terminal: Pick<Terminal, "say" | "ask">,
  { title, message, questions }: Parameters<Person["ask"]>[0],
  options: { readonly signal?: AbortSignal },
): Promise<Answer> {
  if (options.signal?.aborted === true) return { kind: "cancelled" };
  const lead = [title, message].filter((text) => text !== undefined && text !== "");
  if (lead.length > 0) terminal.say(lead.flatMap((text) => stripControls(text ?? "").split("\n")));
  const values: { [key: string]: unknown } = {};
  for (const question of questions) {
    const value = await askOne(terminal, question, options);
    if (value === null) {
      terminal.say(["Not answered."]);
      return { kind: "cancelled" };
    }
    values[question.key] = value.value;
  }
  return { kind: "answered", values };
}

async function askOne(
  terminal: Pick<Terminal, "say" | "ask">,
  question: Question,
  options: { readonly signal?: AbortSignal },
): Promise<{ readonly value: unknown } | null> {
  terminal.say(questionLines(question));
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const line = await terminal.ask("answer> ", options);
    if (line === null) return null;
    const answer = answerOf(question, line);
    if (!isRefused(answer)) return answer;
    terminal.say([answer.problem]);
  }
  return null;
}
