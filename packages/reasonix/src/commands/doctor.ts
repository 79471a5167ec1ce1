/** `reasonix doctor [runtime|capabilities]`: what is wrong, where, and what to do next. */
import { readSession } from "@reasonix-ts/agent";
import { capabilitiesText, describeCapabilities, examinePlugins, trustText, type Examined } from "@reasonix-ts/plugins";
import { oneLine, stripControls } from "@reasonix-ts/text";
import type { Parsed } from "../args.ts";
import { usage } from "../args.ts";
import { prepare, workspaceOf } from "../compose.ts";
import { checkConfig } from "../doctor/config-checks.ts";
import { findingLines, hasErrors, summaryLine, type Finding } from "../doctor/finding.ts";
import { pluginFindings } from "../doctor/plugin-checks.ts";
import { pluginDoctorOptions } from "../doctor/plugin-options.ts";
import { checkRuntime } from "../doctor/runtime-checks.ts";
import { extensionsLines, extensionsReport } from "../extensions/report.ts";
import { machineOf } from "../machine.ts";
import { NOBODY } from "../nobody.ts";
import { pathsOf } from "../paths.ts";
import { readReceipts } from "../receipts-file.ts";
import { lastSession } from "../stored-session.ts";
import { EXIT, type World } from "../world.ts";
import { jsonText } from "../json-text.ts";
import { columnsOf, wrapLines } from "../wrap.ts";

export async function doctor(parsed: Parsed, world: World): Promise<number> {
  const [about, ...more] = parsed.words;
  if (more.length > 0) throw usage("doctor", `"${more.join(" ")}" is one word too many.`);
  switch (about) {
    case undefined:
      return everything(parsed, world);
    case "runtime":
      return runtime(parsed, world);
    case "capabilities":
      return tellCapabilities(parsed, world);
    default:
      throw usage("doctor", `doctor knows runtime and capabilities, not "${about}".`);
  }
}

async function everything(parsed: Parsed, world: World): Promise<number> {
  const { findings, facts, plugins } = await examine(parsed, world);
  const lines = [...factLines(facts), ...trustLines(plugins), ...reportLines(findings)];
  return answer(parsed, world, { ...facts, findings, plugins }, lines, findings);
}

export interface Facts {
  readonly version: string;
  readonly home: string;
  readonly workspaceRoot: string;
  readonly model: string;
  readonly providers: readonly { readonly name: string; readonly kind: string; readonly key: string | null }[];
  /** Hash of what requests of this folder's last session begin with, and what changed it. */
  readonly prefix: { readonly hash: string; readonly changed: string | null } | null;
}

export interface Examination {
  readonly facts: Facts;
  readonly findings: readonly Finding[];
  /** Each with its FULL TRUST block. */
  readonly plugins: readonly Examined[];
}

/** All checks that start nothing. */
export async function examine(parsed: Parsed, world: World): Promise<Examination> {
  const paths = pathsOf(world.env);
  const workspaceRoot = await workspaceOf(world, parsed);
  const config = await checkConfig(paths, workspaceRoot, world.env);
  const plugins = parsed.flag("safe") ? null : await examinePlugins(await pluginDoctorOptions(world));
  const last = await lastSession(parsed, world);
  const prefix = last === null ? null : (await readSession(last.file)).prefix;
  return {
    facts: {
      version: world.version,
      home: paths.home,
      workspaceRoot,
      model: config.model,
      providers: config.providers,
      prefix: prefix === null ? null : { hash: prefix.hash, changed: prefix.changed },
    },
    findings: [...config.findings, ...(plugins === null ? [] : pluginFindings(plugins))],
    plugins: plugins?.plugins ?? [],
  };
}

export function factLines({ version, home, workspaceRoot, model, providers, prefix }: Facts): readonly string[] {
  const named = providers.map(({ name, kind }) => `${name} (${kind})`).join(", ");
  return [
    `reasonix ${version}, node ${process.versions.node}, ${process.platform} ${process.arch}`,
    `home:      ${home}`,
    `workspace: ${workspaceRoot}`,
    `model:     ${model}`,
    ...(named === "" ? [] : [`providers: ${named}`]),
    ...(prefix === null ? [] : [`prefix:    ${prefix.hash}${prefix.changed === null ? "" : ` (${prefix.changed})`}`]),
  ].map(oneLine);
}

/** What each plugin that starts a program may do: no diagnosis leaves that out. */
export function trustLines(plugins: readonly Examined[]): readonly string[] {
  return plugins.flatMap(({ name, version, enabled, trust }) =>
    trust === null
      ? []
      : [`${name} ${version}${enabled ? "" : ", disabled"}`, ...trustText(trust).map((line) => `  ${line}`)],
  );
}

export function reportLines(findings: readonly Finding[]): readonly string[] {
  return [...findings.flatMap(findingLines).map(stripControls), summaryLine(findings)];
}

/** Starts the sidecars as a session would, tells how that went, and stops them. */
async function runtime(parsed: Parsed, world: World): Promise<number> {
  const notices: string[] = [];
  const prepared = await prepare({
    world,
    parsed,
    command: "doctor",
    frontend: {
      uiHost: "headless",
      person: NOBODY,
      emit: (event) => {
        if (event.kind === "notice" && event.severity !== "info") notices.push(event.text);
      },
      close: () => {},
    },
  });
  try {
    const last = await lastSession(parsed, world);
    const report = extensionsReport(prepared.extensions.diagnostics(), {
      failures: prepared.failures,
      problems: prepared.problems,
      receipts: last === null ? [] : await readReceipts(last.file),
    });
    const findings = checkRuntime(report, [...prepared.providers.problems, ...notices]);
    return answer(
      parsed,
      world,
      { ...report, findings },
      [...extensionsLines(report), ...reportLines(findings)],
      findings,
    );
  } finally {
    await prepared.extensions.stop();
  }
}

async function tellCapabilities(parsed: Parsed, world: World): Promise<number> {
  const report = await describeCapabilities(pathsOf(world.env).home, machineOf(world));
  return answer(parsed, world, report, capabilitiesText(report).trimEnd().split("\n"), []);
}

function answer(
  parsed: Parsed,
  world: World,
  data: object,
  lines: readonly string[],
  findings: readonly Finding[],
): number {
  world.stdout.write(
    parsed.flag("json") ? `${jsonText(data, 2)}\n` : `${wrapLines(lines, columnsOf(world.stdout)).join("\n")}\n`,
  );
  return hasErrors(findings) ? EXIT.failed : EXIT.done;
}
