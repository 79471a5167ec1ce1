/** `/<plugin>:<name>` at the prompt of a conversation. */
import { pathsOf } from "../paths.ts";
import { actionText, findPluginWord, type PluginWord } from "../plugin-word.ts";
import { actionArgs } from "./action-args.ts";
import type { Talk } from "./talk.ts";

export async function runPluginWord(word: PluginWord, talk: Talk): Promise<void> {
  const { extensions } = talk.runtime;
  const home = talk.parsed.flag("safe") ? null : pathsOf(talk.world.env).home;
  const found = await findPluginWord(word, { actions: extensions.actions, home });
  switch (found.kind) {
    case "action": {
      const { plugin, name: actionId, rest } = word;
      const result = await talk.stoppable((signal) =>
        talk.runtime.runAction({ plugin, actionId }, actionArgs(rest), { signal }),
      );
      // A failure names its plugin itself.
      talk.say([result.kind === "failed" ? result.message : `[${plugin}] ${actionText(word, result)}`]);
      return;
    }
    case "message":
      return talk.send(found.text);
    case "unknown":
      talk.say([`${found.text} /extensions tells what is loaded.`]);
  }
}
