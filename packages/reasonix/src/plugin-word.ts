/** `/<plugin>:<name> …`: what a plugin offers under a name, wherever it is typed. */
import type { UiAction, UiCallResult } from "@reasonix-ts/host";
import { expandTemplate, installedContributions, type Contributions } from "@reasonix-ts/plugins";
import { didYouMean } from "@reasonix-ts/text";

export interface PluginWord {
  readonly plugin: string;
  readonly name: string;
  /** What was typed after it. */
  readonly rest: string;
}

export type FoundWord =
  /** To be run by the extension itself; no model hears of it. */
  | { readonly kind: "action" }
  /** To be sent as if it had been typed. */
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "unknown"; readonly text: string };

const PLUGIN_WORD = /^\/([A-Za-z0-9][\w.-]*):([\w.:-]+)(?:\s+([\s\S]*))?$/;

/** Null for a text that is no such word. */
export function readPluginWord(text: string): PluginWord | null {
  const match = PLUGIN_WORD.exec(text.trim());
  if (match === null) return null;
  const [, plugin = "", name = "", rest = ""] = match;
  return { plugin, name, rest };
}

/** A clash resolves as action, prompt, command, skill, in that order. `home` is null where no plugin may be looked at. */
export async function findPluginWord(
  { plugin, name, rest }: PluginWord,
  { actions, home }: { readonly actions: readonly UiAction[]; readonly home: string | null },
): Promise<FoundWord> {
  if (actions.some((action) => action.plugin === plugin && action.actionId === name)) return { kind: "action" };
  const contributions = home === null ? null : await installedContributions(home);
  const body = contributions === null ? null : templateOf(contributions, plugin, name);
  if (body !== null) return { kind: "message", text: expandTemplate(body, rest) };
  const words = contributions === null ? [] : wordsOf(contributions);
  const known = [...actions.map((action) => `${action.plugin}:${action.actionId}`), ...words];
  const word = `${plugin}:${name}`;
  return { kind: "unknown", text: `No plugin offers /${word}.${didYouMean(word, known)}` };
}

/** What a person is told of an action that was run. */
export function actionText({ name }: PluginWord, result: UiCallResult): string {
  if (result.kind === "failed") return result.message;
  if (result.message !== null && result.message !== "") return result.message;
  return `${name}: ${result.accepted ? "done" : "not accepted"}`;
}

function templateOf(contributions: Contributions, plugin: string, name: string): string | null {
  const kinds = [contributions.prompts, contributions.commands, contributions.skills];
  for (const kind of kinds) {
    const found = kind.find((one) => one.plugin === plugin && one.name === name);
    if (found !== undefined) return found.body;
  }
  return null;
}

function wordsOf({ prompts, commands, skills }: Contributions): readonly string[] {
  return [...prompts, ...commands, ...skills].map(({ plugin, name }) => `${plugin}:${name}`);
}
