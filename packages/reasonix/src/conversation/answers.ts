/** What a typed line means as an answer; pure. */
import type { PermissionAnswer } from "@reasonix-ts/agent";
import type { Question } from "@reasonix-ts/events";
import { oneLine } from "@reasonix-ts/text";

/** Null for a line that is no answer; nothing typed is a no. */
export function permissionOf(line: string, mayKeep: boolean): PermissionAnswer | null {
  const word = line.trim().toLowerCase();
  switch (word) {
    case "y":
    case "yes":
      return "once";
    case "s":
    case "session":
      return mayKeep ? "session" : null;
    case "a":
    case "always":
      return mayKeep ? "always" : null;
    case "":
    case "n":
    case "no":
      return "no";
    default:
      return null;
  }
}

export interface Refused {
  /** A sentence for the person. */
  readonly problem: string;
}

export function isRefused(answer: { readonly value: unknown } | Refused): answer is Refused {
  return "problem" in answer;
}

/** A question as lines, its options numbered. */
export function questionLines({ kind, label, options = [], default: preset, required }: Question): readonly string[] {
  const how = HOW[kind];
  const facts = [
    ...(how === "" ? [] : [how]),
    ...(preset === undefined ? [] : [`Enter for ${shown(preset)}`]),
    ...(required === true && preset === undefined ? ["required"] : []),
  ];
  return [
    `? ${oneLine(label)}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}`,
    ...options.map((option, index) => `  ${index + 1}  ${oneLine(option)}`),
  ];
}

const HOW: { readonly [kind in Question["kind"]]: string } = {
  confirm: "y or n",
  input: "",
  select: "a number",
  multiselect: "numbers with commas between them",
};

/** The value that a line gives a question: text, a boolean, an option, or several. */
export function answerOf(question: Question, line: string): { readonly value: unknown } | Refused {
  const text = line.trim();
  if (text === "") {
    if (question.default !== undefined) return { value: question.default };
    if (question.required === true) return { problem: "This one needs an answer; Ctrl-D gives it up." };
    return { value: question.kind === "multiselect" ? [] : question.kind === "confirm" ? false : "" };
  }
  switch (question.kind) {
    case "input":
      return { value: line };
    case "confirm":
      return confirmed(text);
    case "select": {
      const option = optionOf(question, text);
      return option === null ? noOption(question) : { value: option };
    }
    case "multiselect": {
      const options = text.split(",").map((part) => optionOf(question, part.trim()));
      const chosen = options.filter((option) => option !== null);
      return chosen.length === options.length ? { value: [...new Set(chosen)] } : noOption(question);
    }
  }
}

function confirmed(text: string): { readonly value: boolean } | Refused {
  const word = text.toLowerCase();
  if (word === "y" || word === "yes") return { value: true };
  if (word === "n" || word === "no") return { value: false };
  return { problem: "Please answer y or n." };
}

function optionOf({ options = [] }: Question, text: string): string | null {
  return options.find((option) => option === text) ?? options[Number(text) - 1] ?? null;
}

function noOption({ options = [] }: Question): Refused {
  return { problem: `Please give a number from 1 to ${options.length}.` };
}

function shown(value: unknown): string {
  return typeof value === "string" ? oneLine(value) : JSON.stringify(value);
}
