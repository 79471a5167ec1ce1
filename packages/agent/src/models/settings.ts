/** The `[[providers]]` tables of config.toml: their shape, and all that is wrong with one. */
import {
  boolean,
  decodeTolerant,
  integer,
  list,
  matching,
  nonEmpty,
  number,
  object,
  oneOf,
  optional,
  problemText,
  record,
  type Infer,
} from "@reasonix-ts/protocol";
import { didYouMean } from "@reasonix-ts/text";

export const PROVIDER_KINDS = ["anthropic", "offline", "openai"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

const name = matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "a name of letters, digits, `.`, `_` and `-`");
const environmentName = matching(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable");
const price = optional(number({ min: 0 }));

const Prices = object({
  input: price,
  output: price,
  cache_hit: price,
  currency: optional(nonEmpty),
});

const ProviderTable = object({
  name,
  kind: oneOf(PROVIDER_KINDS),
  base_url: optional(nonEmpty),
  models: optional(list(nonEmpty)),
  default: optional(nonEmpty),
  api_key_env: optional(environmentName),
  context_window: optional(integer({ min: 1 })),
  max_tokens: optional(integer({ min: 1 })),
  prices: optional(Prices),
  effort: optional(nonEmpty),
  vision: optional(boolean),
  headers: optional(record(nonEmpty)),
});

/**
 * One provider, checked. Prices are per million tokens, `context_window` and `max_tokens` in tokens;
 * `max_tokens` bounds an answer where the request leaves the bound to the provider.
 */
export type ProviderSettings = Infer<typeof ProviderTable> & {
  readonly base_url: string;
  readonly models: readonly string[];
};

export interface ProvidersDecoded {
  /** The tables without a problem, in the order of the file. */
  readonly providers: readonly ProviderSettings[];
  /** A sentence each; a table with a problem is in none of `providers`. */
  readonly problems: readonly string[];
  /** The tables that `problems` is about, in the order of the file. */
  readonly broken: readonly BrokenProvider[];
  /** Keys that this version does not know: kept, and worth a line in diagnostics only. */
  readonly unknown: readonly string[];
}

/** A table that cannot be used, as far as it says what it was meant to be. */
export interface BrokenProvider {
  /** Its place in the list. */
  readonly index: number;
  /** Empty where it has none. */
  readonly name: string;
  /** The model that it would be asked for first; empty where it names none. */
  readonly model: string;
  /** Without the table's own name. */
  readonly problems: readonly string[];
}

/** Where a kind is asked when `base_url` is absent, and which variable then holds the key. */
const KIND_DEFAULTS = {
  anthropic: { baseUrl: "https://api.anthropic.com", apiKeyEnv: "ANTHROPIC_API_KEY" },
  offline: { baseUrl: "", apiKeyEnv: undefined },
  openai: { baseUrl: "https://api.openai.com/v1", apiKeyEnv: "OPENAI_API_KEY" },
} as const satisfies Record<ProviderKind, { readonly baseUrl: string; readonly apiKeyEnv: string | undefined }>;

/** Checks the value of `providers` in a parsed config.toml; `undefined` (the key is absent) is no provider. */
export function decodeProviders(value: unknown): ProvidersDecoded {
  if (value === undefined) return { providers: [], problems: [], broken: [], unknown: [] };
  if (!Array.isArray(value)) {
    const problems = ["`providers` is no list: write each provider as a [[providers]] table with double brackets"];
    return { providers: [], problems, broken: [], unknown: [] };
  }
  const providers: ProviderSettings[] = [];
  const problems: string[] = [];
  const broken: BrokenProvider[] = [];
  const unknown: string[] = [];
  const names = new Set<string>();
  for (const [index, table] of value.entries()) {
    const label = labelOf(index, table);
    const judged = judgeTable(table, names);
    problems.push(...judged.problems.map((problem) => `${label}: ${problem}`));
    unknown.push(...unknownKeys(table).map((key) => `${label}: unknown key ${key}`));
    if (judged.settings !== null) providers.push(judged.settings);
    else broken.push({ index, ...meantBy(table), problems: judged.problems });
  }
  return { providers, problems, broken, unknown };
}

function meantBy(table: unknown): Pick<BrokenProvider, "name" | "model"> {
  if (!isTable(table)) return { name: "", model: "" };
  const { name: given, default: preferred, models } = table;
  const first: unknown = Array.isArray(models) ? models[0] : undefined;
  const model = [preferred, first].find((one) => typeof one === "string");
  return { name: typeof given === "string" ? given : "", model: typeof model === "string" ? model : "" };
}

function labelOf(index: number, table: unknown): string {
  const given = isTable(table) ? table["name"] : undefined;
  return `[[providers]] ${index + 1}${typeof given === "string" && given !== "" ? ` (${given})` : ""}`;
}

interface Judged {
  readonly settings: ProviderSettings | null;
  readonly problems: readonly string[];
}

function judgeTable(table: unknown, names: Set<string>): Judged {
  const decoded = decodeTolerant(ProviderTable, table);
  if (!decoded.ok) return { settings: null, problems: decoded.problems.map(problemText) };
  const raw = decoded.value;
  const settings = withDefaults(raw);
  const problems = [
    ...nameProblems(settings, names),
    ...urlProblems(settings),
    ...modelProblems(settings),
    ...headerProblems(settings),
  ];
  names.add(settings.name);
  return { settings: problems.length === 0 ? settings : null, problems };
}

function withDefaults(raw: Infer<typeof ProviderTable>): ProviderSettings {
  const defaults = KIND_DEFAULTS[raw.kind];
  const models = raw.models ?? (raw.default === undefined ? [] : [raw.default]);
  const base = { ...raw, base_url: raw.base_url ?? defaults.baseUrl, models };
  const keyName = raw.api_key_env ?? (raw.base_url === undefined ? defaults.apiKeyEnv : undefined);
  if (raw.kind === "offline") return { ...base, models: models.length === 0 ? ["scripted"] : models };
  return keyName === undefined ? base : { ...base, api_key_env: keyName };
}

function nameProblems(settings: ProviderSettings, names: ReadonlySet<string>): readonly string[] {
  const { name: own, kind } = settings;
  if (own === "plugin") return ["the name `plugin` is reserved for models that extensions bring; choose another"];
  if (own === "offline" && kind !== "offline") return ["the name `offline` is the built-in model's; choose another"];
  return names.has(own) ? [`the name ${own} is taken by an earlier table; names are unique`] : [];
}

function urlProblems({ base_url: url, kind }: ProviderSettings): readonly string[] {
  if (kind === "offline") return [];
  if (!URL.canParse(url)) return [`base_url is no URL, wanted one such as ${KIND_DEFAULTS[kind].baseUrl}`];
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
    return [`base_url starts with ${parsed.protocol}, wanted http: or https:`];
  }
  if (parsed.username !== "" || parsed.password !== "") {
    return ["base_url holds a user name or password; put the key into the variable that api_key_env names"];
  }
  return /\/(chat\/completions|messages)\/?$/.test(parsed.pathname)
    ? ["base_url ends in the endpoint's own path; leave that off, it is added"]
    : [];
}

function modelProblems({ models, default: preferred }: ProviderSettings): readonly string[] {
  if (models.length === 0) return ['no models: list the ids to offer, such as models = ["deepseek-chat"]'];
  const twice = models.find((model, index) => models.indexOf(model) !== index);
  const problems = twice === undefined ? [] : [`the model ${twice} is listed twice`];
  if (preferred !== undefined && !models.includes(preferred)) {
    problems.push(`default is ${preferred}, which models does not list.${didYouMean(preferred, models)}`);
  }
  return problems;
}

/** Headers that the request itself needs; a second value would break it or carry another key. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["content-length", "content-type", "host", "transfer-encoding"]);

function headerProblems({ headers = {} }: ProviderSettings): readonly string[] {
  return Object.entries(headers).flatMap(([header, value]) => {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header)) return [`headers: ${JSON.stringify(header)} is no header name`];
    if (OWN_HEADERS.has(header.toLowerCase())) return [`headers: ${header} is set by the request itself; remove it`];
    return isHeaderValue(value) ? [] : [`headers: the value of ${header} has characters that no header can carry`];
  });
}

/** What an HTTP header can carry: printable Latin-1 and tab. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
}

function unknownKeys(table: unknown): readonly string[] {
  if (!isTable(table)) return [];
  const prices = table["prices"];
  return [
    ...unknownOf(table, Object.keys(ProviderTable.fields), ""),
    ...(isTable(prices) ? unknownOf(prices, Object.keys(Prices.fields), "prices.") : []),
  ];
}

function unknownOf(table: object, known: readonly string[], prefix: string): readonly string[] {
  const foreign = Object.keys(table).filter((key) => !known.includes(key));
  return foreign.map((key) => `\`${prefix}${key}\`.${didYouMean(key, known)}`);
}

function isTable(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
