/** `reasonix plugin env <name> [list|set KEY|unset KEY]`: the variables that a person sets for one plugin alone. */
import { layoutOf, listPlugins, pluginEnvironmentNames, PluginError, setPluginVariable } from "@reasonix-ts/plugins";
import { usage } from "../args.ts";
import { readAll } from "../read-all.ts";
import { CommandError, EXIT, type World } from "../world.ts";

export interface EnvReport {
  readonly plugin: string;
  /** Names alone: values are never shown. */
  readonly variables: readonly string[];
}

/** A value never stands on a command line: it is asked for, unseen, or comes from standard input. */
export async function pluginEnv(words: readonly string[], home: string, world: World): Promise<EnvReport> {
  const [plugin, verb, key, ...more] = words;
  if (plugin === undefined || more.length > 0) {
    throw usage("plugin env", "plugin env wants: <name> [list], <name> set KEY, or <name> unset KEY.");
  }
  const { plugins } = await listPlugins(home);
  if (!plugins.some((one) => one.name === plugin)) {
    throw new PluginError("not_installed", `No plugin ${plugin} is installed; \`reasonix plugin list\` shows them.`);
  }
  const layout = layoutOf(home);
  if (verb === "list" ? key !== undefined : verb !== undefined) {
    if ((verb !== "set" && verb !== "unset") || key === undefined) {
      throw usage("plugin env", `plugin env ${plugin} wants list, set KEY or unset KEY.`);
    }
    await setPluginVariable(layout, plugin, key, verb === "unset" ? null : await valueOf(key, world));
  }
  return { plugin, variables: await pluginEnvironmentNames(layout, plugin) };
}

export function envText({ plugin, variables }: EnvReport): string {
  return variables.length === 0
    ? `${plugin} has no variables of its own.\n`
    : `${plugin} gets ${variables.join(", ")}, and no other plugin does.\n`;
}

async function valueOf(key: string, world: World): Promise<string> {
  if (world.stdin.isTTY !== true) {
    const value = (await readAll(world.stdin)).replace(/\r?\n$/, "");
    if (value !== "") return value;
    throw usage("plugin env", `Pipe the value of ${key} in, or type it at a terminal.`);
  }
  const { isCancel, password } = await import("@clack/prompts");
  const value = await password({ message: `The value of ${key}`, mask: "•" });
  if (isCancel(value) || (value ?? "") === "") throw new CommandError(`${key} was not set.`, EXIT.interrupted);
  return value;
}
