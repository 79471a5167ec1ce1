/** Reads all configuration of one start: the user's file, the project's, keys, and what the command line says. */
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Parsed } from "./args.ts";
import { positive } from "./args.ts";
import { judgeProjectConfig, judgeUserConfig, settingsOf, type ConfigFinding, type Settings } from "./config.ts";
import { readOptionalFile } from "./optional-file.ts";
import { PROJECT_FILE, type Paths } from "./paths.ts";
import { readToml } from "./toml.ts";
import { CommandError, type Environment } from "./world.ts";

export interface Loaded {
  readonly settings: Settings;
  readonly findings: readonly ConfigFinding[];
  /** Keys of `<home>/.env`, which the process's environment overrides; they never reach a sidecar. */
  readonly keys: ReadonlyMap<string, string>;
}

export async function loadSettings(
  paths: Paths,
  workspaceRoot: string,
  command: string,
  parsed: Parsed,
  start: {
    readonly hasModel: (ref: string, providers: readonly unknown[]) => boolean;
    readonly present: boolean;
  },
): Promise<Loaded> {
  const projectFile = join(workspaceRoot, PROJECT_FILE);
  const [userData, projectData, keys] = await Promise.all([
    readToml(paths.config),
    readToml(projectFile),
    readKeys(paths.env),
  ]);
  const user = judgeUserConfig(userData, paths.config);
  const project = judgeProjectConfig(projectData, projectFile);
  refuseWrong(paths.config, user.errors);
  refuseWrong(projectFile, project.errors);
  const settings = settingsOf(
    user.value,
    project.value,
    {
      model: parsed.text("model"),
      effort: parsed.text("effort"),
      permissionMode: parsed.text("permission-mode"),
      approvals: parsed.text("approvals"),
      maxSteps: positive(command, "max-steps", parsed.text("max-steps")),
      maxCost: positive(command, "max-cost", parsed.text("max-cost")),
    },
    { has: (ref) => start.hasModel(ref, user.value.providers ?? []), present: start.present },
  );
  return { settings, findings: [...user.findings, ...project.findings], keys };
}

function refuseWrong(file: string, errors: readonly string[]): void {
  if (errors.length === 0) return;
  throw new CommandError(
    `${file} has ${errors.length === 1 ? "a wrong value" : "wrong values"}: ${errors.join("; ")}. ` +
      "Mend the file and try again; nothing was changed.",
  );
}

/** Looks a key up in the process's environment first, then in `<home>/.env`. */
export function keyLookup(env: Environment, keys: ReadonlyMap<string, string>): (name: string) => string | undefined {
  return (name) => {
    const set = env[name];
    return set !== undefined && set !== "" ? set : keys.get(name);
  };
}

export async function readKeys(path: string): Promise<ReadonlyMap<string, string>> {
  const text = (await readOptionalFile(path)) ?? "";
  const entries = Object.entries(parseEnv(text)).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new Map(entries);
}
