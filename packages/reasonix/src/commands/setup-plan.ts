/** Decides what `setup` writes: the key into `.env`, the provider into `config.toml`, keeping all else as it stands. */
import { decodeProviders } from "@reasonix-ts/agent";
import { CommandError } from "../world.ts";
import { withProviderBlock } from "./provider-block.ts";

export interface Preset {
  readonly name: string;
  readonly label: string;
  readonly kind: "openai" | "anthropic";
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly keyName: string;
}

/** Providers that setup offers by name; `other` asks for the rest. */
export const PRESETS: readonly Preset[] = [
  {
    name: "deepseek",
    label: "DeepSeek",
    kind: "openai",
    baseUrl: "https://api.deepseek.com",
    models: ["deepseek-chat", "deepseek-reasoner"],
    keyName: "DEEPSEEK_API_KEY",
  },
  {
    name: "openai",
    label: "OpenAI",
    kind: "openai",
    baseUrl: "https://api.openai.com/v1",
    models: ["gpt-5", "gpt-5-mini"],
    keyName: "OPENAI_API_KEY",
  },
  {
    name: "anthropic",
    label: "Anthropic",
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com",
    models: ["claude-sonnet-4-5", "claude-opus-4-1"],
    keyName: "ANTHROPIC_API_KEY",
  },
];

export interface SetupFiles {
  readonly env: string;
  readonly config: string;
}

/** What is wrong with a provider by the rules that the configuration is read with, without the table's place. */
export function presetProblems(preset: Preset): readonly string[] {
  return decodeProviders([tableOf(preset)]).broken.flatMap(({ problems }) => problems);
}

/**
 * The two files with the choice in them. A table of that name is replaced, also a broken one; a default model that it
 * no longer offers gives way to its first. Throws CommandError where the file writes its providers in a way of its own.
 */
export function planSetup(
  before: SetupFiles,
  choice: { readonly preset: Preset; readonly key: string | null },
  known: { readonly providers: readonly unknown[]; readonly defaultModel?: string | undefined },
): SetupFiles {
  const { preset, key } = choice;
  const index = known.providers.findIndex((table) => nameOf(table) === preset.name);
  return {
    env: key === null ? before.env : withKey(before.env, preset.keyName, key),
    config: withDefault(withTable(before.config, preset, index), preset, known.defaultModel),
  };
}

function withTable(config: string, preset: Preset, index: number): string {
  const table = providerTable(preset);
  if (index === -1) return `${withLineEnd(config)}${config.trim() === "" ? "" : "\n"}${table}`;
  const replaced = withProviderBlock(config, index, table);
  if (replaced !== null) return replaced;
  throw new CommandError(
    `The provider ${preset.name} is in config.toml already, written in a way that setup cannot replace. ` +
      `Nothing was changed. Put this in its place by hand:\n${table}`,
  );
}

function withDefault(config: string, preset: Preset, current: string | undefined): string {
  const line = `default_model = ${quoted(`${preset.name}/${preset.models[0] ?? ""}`)}`;
  if (current === undefined) return `${line}\n\n${config}`;
  const offered = preset.models.some((model) => current === `${preset.name}/${model}`);
  if (offered || !current.startsWith(`${preset.name}/`)) return config;
  return config.replace(/^[ \t]*default_model[ \t]*=[^\n]*$/m, () => line);
}

function nameOf(table: unknown): string | null {
  if (typeof table !== "object" || table === null || !("name" in table)) return null;
  return typeof table.name === "string" ? table.name : null;
}

function tableOf(preset: Preset): object {
  const { name, kind, baseUrl, models, keyName } = preset;
  return { name, kind, base_url: baseUrl, models, api_key_env: keyName };
}

function providerTable(preset: Preset): string {
  return [
    "[[providers]]",
    `name = ${quoted(preset.name)}`,
    `kind = ${quoted(preset.kind)}`,
    `base_url = ${quoted(preset.baseUrl)}`,
    `models = [${preset.models.map(quoted).join(", ")}]`,
    `api_key_env = ${quoted(preset.keyName)}`,
    "",
  ].join("\n");
}

function withKey(env: string, name: string, key: string): string {
  const line = `${name}=${quotedForEnv(key)}`;
  const lines = withLineEnd(env).split("\n").slice(0, -1);
  const at = lines.findIndex((entry) =>
    entry
      .trimStart()
      .replace(/^export\s+/, "")
      .startsWith(`${name}=`),
  );
  const next = at === -1 ? [...lines, line] : lines.with(at, line);
  return `${next.join("\n")}\n`;
}

/** A dotenv file has no escapes: a value is quoted with a mark that it does not hold. */
function quotedForEnv(value: string): string {
  if (/^[\w./+=:-]+$/.test(value)) return value;
  const mark = ["'", '"', "`"].find((candidate) => !value.includes(candidate));
  if (mark === undefined || value.includes("\n")) {
    throw new CommandError(
      "The key holds line breaks or all three kinds of quotation marks; no key looks like that. Copy it again.",
    );
  }
  return `${mark}${value}${mark}`;
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
