/** Fields that a person fills in: what is shown of them, and what comes back for the extension (pure). */
import { describe, type FormField, type FormPayload, type QuestionKind } from "@reasonix-ts/protocol";
import { isPlainId, type Cleaner } from "./text.ts";

/** A form as people see it, with what turns their answers into the extension's own words. */
export interface CleanForm {
  readonly payload: FormPayload;
  readonly answers: readonly AnswerRule[];
  /** What was left out, and why. */
  readonly dropped: readonly string[];
}

export interface AnswerRule {
  readonly key: string;
  readonly kind: QuestionKind;
  readonly required: boolean;
  /** What is shown of each option → the option as the extension named it. */
  readonly options: ReadonlyMap<string, string>;
}

export type JudgedValues =
  | { readonly ok: true; readonly values: { readonly [key: string]: unknown } }
  | { readonly ok: false; readonly problem: string };

export function cleanForm(form: FormPayload, clean: Cleaner): CleanForm {
  const fields: FormField[] = [];
  const answers: AnswerRule[] = [];
  const dropped: string[] = [];
  const keys = new Set<string>();
  for (const [index, field] of form.fields.entries()) {
    const options = optionsOf(field, clean);
    const why = dropReason(field, options, keys);
    if (why !== null) {
      dropped.push(`the field at /fields/${index} (${JSON.stringify(clean.line(field.key))}): ${why}`);
      continue;
    }
    keys.add(field.key);
    const { key, kind, required = false } = field;
    const shown = defaultOf(field, options, clean);
    if (shown === undefined && field.default !== undefined)
      dropped.push(`the default at /fields/${index}/default: it is no answer to a field of kind ${kind}`);
    fields.push({
      key,
      kind,
      required,
      label: clean.line(field.label ?? "") || key,
      ...(shown === undefined ? {} : { default: shown }),
      ...(options.size === 0 ? {} : { options: [...options.keys()] }),
    });
    answers.push({ key, kind, required, options });
  }
  const title = clean.line(form.title ?? "");
  const message = clean.text(form.message ?? "");
  const payload = { ...(title === "" ? {} : { title }), ...(message === "" ? {} : { message }), fields };
  return { payload, answers, dropped };
}

/** Each value by its field's kind; what belongs to no field is left out, what a required field lacks is refused. */
export function judgeValues(rules: readonly AnswerRule[], values: { readonly [key: string]: unknown }): JudgedValues {
  const judged: { [key: string]: unknown } = {};
  for (const rule of rules) {
    const value = Object.hasOwn(values, rule.key) ? values[rule.key] : undefined;
    const absent = value === undefined || value === null;
    if (absent && !rule.required) continue;
    const answer = absent ? undefined : answerOf(rule, value);
    if (answer === undefined || (rule.required && isEmpty(answer)))
      return { ok: false, problem: `${wantedOf(rule)} was wanted for "${rule.key}", and ${describe(value)} came` };
    judged[rule.key] = answer;
  }
  return { ok: true, values: judged };
}

/** The empty text is no answer to a required field; `false` and an empty choice are. */
function isEmpty(answer: unknown): boolean {
  return answer === "";
}

function optionsOf({ options = [] }: FormField, clean: Cleaner): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const option of options) {
    const text = clean.line(option);
    if (text !== "" && !shown.has(text)) shown.set(text, option);
  }
  return shown;
}

function dropReason(
  { key, kind }: FormField,
  options: ReadonlyMap<string, string>,
  keys: ReadonlySet<string>,
): string | null {
  if (keys.has(key)) return "a field of this key is there already";
  if (!isPlainId(key)) return "its key holds characters that cannot be shown";
  if ((kind === "select" || kind === "multiselect") && options.size === 0)
    return `a field of kind ${kind} needs options`;
  return null;
}

/** Options are named as they are shown: people see them so, and their answer is turned back. */
function defaultOf(field: FormField, options: ReadonlyMap<string, string>, clean: Cleaner): unknown {
  const { kind, default: value } = field;
  switch (kind) {
    case "confirm":
      return typeof value === "boolean" ? value : undefined;
    case "input":
      return typeof value === "string" ? clean.text(value) : undefined;
    case "select":
      return typeof value === "string" && options.has(clean.line(value)) ? clean.line(value) : undefined;
    case "multiselect": {
      if (!Array.isArray(value)) return undefined;
      const chosen = value.map((one: unknown) => (typeof one === "string" ? clean.line(one) : ""));
      return chosen.every((one) => options.has(one)) ? chosen : undefined;
    }
  }
}

/** The value in the extension's own words; undefined when it is no answer to this field. */
function answerOf({ kind, options }: AnswerRule, value: unknown): unknown {
  switch (kind) {
    case "confirm":
      return typeof value === "boolean" ? value : undefined;
    case "input":
      return typeof value === "string" ? value : undefined;
    case "select":
      return typeof value === "string" ? options.get(value) : undefined;
    case "multiselect": {
      if (!Array.isArray(value)) return undefined;
      const chosen = value.map((one: unknown) => (typeof one === "string" ? options.get(one) : undefined));
      return chosen.includes(undefined) ? undefined : chosen;
    }
  }
}

function wantedOf({ kind }: AnswerRule): string {
  switch (kind) {
    case "confirm":
      return "true or false";
    case "input":
      return "a text";
    case "select":
      return "one of its options";
    case "multiselect":
      return "a list of its options";
  }
}
