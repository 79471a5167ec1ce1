/** `/<plugin>:<name>`: finds what a plugin offers under a name, and runs it. */
import { expandTemplate, installedContributions, type Contributions } from "@reasonix-ts/plugins";
import { didYouMean } from "@reasonix-ts/text";
import { pathsOf } from "../paths.ts";
import { actionArgs } from "./action-args.ts";
import type { Talk } from "./talk.ts";

/** A clash resolves as action, prompt, command, skill, in that order. */
export async function runPluginWord(plugin: string, name: string, rest: string, talk: Talk): Promise<void> {
  const { actions } = talk.runtime.extensions;
  if (actions.some((action) => action.plugin === plugin && action.actionId === name)) {
    await runAction(plugin, name, rest, talk);
    return;
  }
  const contributions = talk.parsed.flag("safe") ? null : await installedContributions(pathsOf(talk.world.env).home);
  const body = contributions === null ? null : templateOf(contributions, plugin, name);
  if (body !== null) {
    await talk.send(expandTemplate(body, rest));
    return;
  }
  const words = contributions === null ? [] : wordsOf(contributions);
  const known = [...actions.map((action) => `${action.plugin}:${action.actionId}`), ...words];
  const word = `${plugin}:${name}`;
  talk.say([`No plugin offers /${word}.${didYouMean(word, known)} /extensions tells what is loaded.`]);
}

async function runAction(
  plugin: string,
  actionId: string,
  rest: string,
  { runtime, say, stoppable }: Talk,
): Promise<void> {
  const result = await stoppable((signal) =>
    runtime.extensions.runAction({ plugin, actionId }, actionArgs(rest), { signal }),
  );
  if (result.kind === "failed") say([result.message]);
  else if (result.message !== null && result.message !== "") say([`[${plugin}] ${result.message}`]);
  else say([`[${plugin}] ${actionId}: ${result.accepted ? "done" : "not accepted"}`]);
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
