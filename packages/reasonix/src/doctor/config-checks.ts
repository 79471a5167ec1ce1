/** Checks the user's and the project's configuration, the providers and their keys, without stopping at the first fault. */
import { join } from "node:path";
import { decodeProviders, defaultModelRef, OFFLINE_REF, type ProviderSettings } from "@reasonix-ts/agent";
import { isPluginRef } from "@reasonix-ts/protocol";
import { judgeProjectConfig, judgeUserConfig, type ConfigFinding, type Judged } from "../config.ts";
import { readGrants } from "../grants.ts";
import { PROJECT_FILE, type Paths } from "../paths.ts";
import { isConfigured } from "../providers.ts";
import { keyLookup, readKeys } from "../settings.ts";
import { readToml } from "../toml.ts";
import { CommandError, type Environment } from "../world.ts";
import type { Finding, FindingCode } from "./finding.ts";

export interface ConfigFacts {
  readonly findings: readonly Finding[];
  /** Whether a session could be opened with this configuration. */
  readonly usable: boolean;
  readonly model: string;
  readonly providers: readonly { readonly name: string; readonly kind: string; readonly key: string | null }[];
}

export async function checkConfig(paths: Paths, workspaceRoot: string, env: Environment): Promise<ConfigFacts> {
  const projectFile = join(workspaceRoot, PROJECT_FILE);
  const user = await judged(paths.config, judgeUserConfig, "config_unusable");
  const project = await judged(projectFile, judgeProjectConfig, "project_unusable");
  const { providers, problems, unknown } = decodeProviders(user.value?.providers);
  const providerFaults = problems.map((problem) => unusable("config_unusable", paths.config, problem));
  const grants = await grantsFinding(paths.grants, workspaceRoot);
  const keys = keyLookup(env, await readKeys(paths.env));
  const findings = [...user.findings, ...project.findings, ...providerFaults, ...grants];
  const usable = !findings.some(({ severity }) => severity === "error");
  const model = user.value?.default_model ?? defaultModelRef(providers);
  return {
    findings: [
      ...findings,
      ...unknown.map((text) => unknownKey(paths.config, text)),
      ...providers.flatMap((provider) => keyFinding(provider, keys, paths)),
      ...(usable ? modelFindings(model, user.value?.providers ?? [], paths) : []),
    ],
    usable,
    model,
    providers: providers.map(({ name, kind, api_key_env: key }) => ({ name, kind, key: key ?? null })),
  };
}

async function judged<T>(
  file: string,
  judge: (data: unknown, file: string) => Judged<T>,
  code: FindingCode,
): Promise<{ readonly value: T | null; readonly findings: readonly Finding[] }> {
  try {
    const { value, findings, errors } = judge(await readToml(file), file);
    return { value, findings: [...errors.map((text) => unusable(code, file, text)), ...findings.map(configFinding)] };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { value: null, findings: [unusable(code, file, error.message)] };
  }
}

function configFinding({ file, text, tell }: ConfigFinding): Finding {
  return tell === "doctor"
    ? unknownKey(file, text)
    : { code: "project_oversteps", severity: "warning", subject: file, text, next: "Remove what is ignored." };
}

function unknownKey(file: string, text: string): Finding {
  const code = text.startsWith("[[providers]]") ? "provider_unknown_key" : "config_unknown_key";
  return { code, severity: "info", subject: file, text, next: "" };
}

function unusable(code: FindingCode, file: string, text: string): Finding {
  return { code, severity: "error", subject: file, text, next: `Mend ${file}.` };
}

async function grantsFinding(file: string, workspaceRoot: string): Promise<readonly Finding[]> {
  try {
    await readGrants(file, workspaceRoot);
    return [];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [unusable("grants_unusable", file, error.message)];
  }
}

function keyFinding(
  { name, api_key_env: key }: ProviderSettings,
  keys: (name: string) => string | undefined,
  paths: Paths,
): readonly Finding[] {
  if (key === undefined || keys(key) !== undefined) return [];
  return [
    {
      code: "provider_key_missing",
      severity: "warning",
      subject: `provider ${name}`,
      text: `${key} is set neither in the environment nor in ${paths.env}.`,
      next: `reasonix setup --provider ${name}`,
    },
  ];
}

function modelFindings(model: string, tables: readonly unknown[], paths: Paths): readonly Finding[] {
  if (model === OFFLINE_REF) {
    const text = "The offline model answers: it repeats what is typed.";
    return [{ code: "model_offline", severity: "info", subject: model, text, next: "reasonix setup" }];
  }
  if (isPluginRef(model) || isConfigured(model, tables)) return [];
  return [
    {
      code: "model_unavailable",
      severity: "error",
      subject: model,
      text: `It is the default model, and no provider in ${paths.config} offers it.`,
      next: "`reasonix models` lists what can be used.",
    },
  ];
}
