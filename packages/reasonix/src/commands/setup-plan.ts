/** Decides what `setup` writes: the key into `.env`, the provider into `config.toml`, keeping all else as it stands. */
import { CommandError } from "../world.ts";

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

/** The two files with the choice in them; a provider of that name that is there already is left as it is. */
export function planSetup(
  before: SetupFiles,
  choice: { readonly preset: Preset; readonly key: string | null },
  known: { readonly providerNames: readonly string[]; readonly hasDefault: boolean },
): SetupFiles {
  const { preset, key } = choice;
  const table = known.providerNames.includes(preset.name) ? "" : providerTable(preset);
  const first = known.hasDefault ? "" : `default_model = ${quoted(`${preset.name}/${preset.models[0] ?? ""}`)}\n\n`;
  return {
    env: key === null ? before.env : withKey(before.env, preset.keyName, key),
    config: `${first}${withLineEnd(before.config)}${table === "" ? "" : `${before.config.trim() === "" ? "" : "\n"}${table}`}`,
  };
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
