/** `/<plugin>:<name>`: finds what a plugin offers under a name, and runs it. */
import { expandTemplate, installedContributions, type Contributions } from "@reasonix-ts/plugins";
import { didYouMean } from "@reasonix-ts/text";
import { pathsOf } from "../paths.ts";
import type { Talk } from "./talk.ts";

export async function runPluginWord(plugin: string, name: string, rest: string, talk: Talk): Promise<void> {
  const contributions = talk.parsed.flag("safe") ? null : await installedContributions(pathsOf(talk.world.env).home);
  const body = contributions === null ? null : templateOf(contributions, plugin, name);
  if (body !== null) {
    await talk.send(expandTemplate(body, rest));
    return;
  }
  const known = contributions === null ? [] : wordsOf(contributions);
  const word = `${plugin}:${name}`;
  talk.say([`No plugin offers /${word}.${didYouMean(word, known)} /extensions tells what is loaded.`]);
}

/** A clash resolves as prompt, command, skill, in that order. */
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
