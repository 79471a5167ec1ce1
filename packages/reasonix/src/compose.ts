/** Joins agent, host and plugins: the only place that does, and the only one that permits a process to start. */
import { randomUUID } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { createSession, systemClock, type Extensions, type Session, type SessionChoice } from "@reasonix-ts/agent";
import type { AgentEvent } from "@reasonix-ts/events";
import type { BuildFailure, Host, HostSession, StartPermission } from "@reasonix-ts/host";
import { installedRuntimes } from "@reasonix-ts/plugins";
import { parsePluginRef } from "@reasonix-ts/protocol";
import { createRedactor } from "@reasonix-ts/text";
import { agentSettings } from "./agent-settings.ts";
import type { Parsed } from "./args.ts";
import { appendAudit } from "./audit-log.ts";
import type { ConfigFinding, Settings } from "./config.ts";
import { ExtensionRuntime, type HostBase, type Installed } from "./extension-runtime.ts";
import type { Frontend } from "./frontend.ts";
import { addGrants, readGrants } from "./grants.ts";
import { hostPorts } from "./host-ports.ts";
import { pathsOf, type Paths } from "./paths.ts";
import { isConfigured, providersOf, type Providers } from "./providers.ts";
import { redactEvent } from "./redact-event.ts";
import { SessionRuntime } from "./session-runtime.ts";
import { keyLookup, loadSettings } from "./settings.ts";
import { openTrace } from "./trace-file.ts";
import { CommandError, type World } from "./world.ts";

export interface PrepareOptions {
  readonly world: World;
  readonly parsed: Parsed;
  /** For error texts: the command that asks. */
  readonly command: string;
  readonly frontend: Frontend;
  /** Gives the start of sidecars up: `prepare` then rejects with its reason, and what was started is gone. */
  readonly signal?: AbortSignal;
}

/** Configuration read, models known, sidecars started: everything but a session. */
export interface Prepared {
  readonly paths: Paths;
  readonly workspaceRoot: string;
  readonly settings: Settings;
  readonly findings: readonly ConfigFinding[];
  readonly providers: Providers;
  readonly extensions: ExtensionRuntime;
  /** Why no generation could be built. */
  readonly failures: readonly BuildFailure[];
  /** What is wrong with the list of plugins itself. */
  readonly problems: readonly string[];
  /** Takes secrets that are known here, and what has the shape of one, out of texts for people. */
  readonly redact: (text: string) => string;
}

export async function prepare({ world, parsed, command, frontend, signal }: PrepareOptions): Promise<Prepared> {
  const paths = pathsOf(world.env);
  const workspaceRoot = await workspaceOf(world, parsed);
  const readInstalled = (): Promise<Installed> => (parsed.flag("safe") ? Promise.resolve(NOTHING) : installed(paths));
  const first = await readInstalled();
  const known = (ref: string, tables: readonly unknown[]): boolean =>
    isConfigured(ref, tables) || first.specs.some((spec) => spec.plugin === parsePluginRef(ref)?.plugin);
  const { settings, findings, keys } = await loadSettings(paths, workspaceRoot, command, parsed, {
    hasModel: known,
    present: frontend.person.present,
  });
  const providers = providersOf(settings.providers, paths.config, keyLookup(world.env, keys));
  const { redact } = createRedactor({ literals: [...providers.secrets, ...keys.values()], environment: world.env });

  const session: HostSession = { sessionId: randomUUID(), workspaceRoot };
  const trace = openTrace(world);
  const base = async (): Promise<HostBase> => ({
    permission: await startPermission(paths),
    session,
    uiHost: frontend.uiHost,
    environment: world.env,
    ports: hostPorts(frontend, (entry) => appendAudit(paths.audit, entry)),
    redact,
    ...(trace === null ? {} : { trace }),
    ...(parsed.flag("debug") ? { debug: (text) => frontend.emit({ kind: "notice", severity: "info", text }) } : {}),
  });
  const { runtime, failures } = await ExtensionRuntime.open(
    first,
    readInstalled,
    base,
    signal === undefined ? {} : { signal },
  );
  return {
    paths,
    workspaceRoot,
    settings,
    findings,
    providers,
    extensions: runtime,
    failures,
    problems: first.problems,
    redact,
  };
}

/** Opens a session with everything that belongs to it; what was started is stopped again when a later step fails. */
export async function compose(options: OpenOptions): Promise<SessionRuntime> {
  return openSession(await prepare(options), options);
}

export type OpenOptions = PrepareOptions & { readonly choice: SessionChoice };

/** Opens a session on what was prepared, which stops with it; it is stopped as well when the session does not open. */
export async function openSession(
  prepared: Prepared,
  { world, parsed, frontend, choice }: OpenOptions,
): Promise<SessionRuntime> {
  const { paths, workspaceRoot, settings, providers, extensions, problems, failures, redact } = prepared;
  const emit = (event: AgentEvent): void => frontend.emit(redactEvent(event, redact));
  for (const { file, text } of prepared.findings.filter((finding) => finding.tell === "always")) {
    emit({ kind: "notice", severity: "warn", text: `${file}: ${text}` });
  }
  for (const text of [...providers.problems, ...problems]) emit({ kind: "notice", severity: "warn", text });
  try {
    const ports = {
      workspaceRoot,
      sessionsDir: paths.sessions,
      models: providers.models,
      person: frontend.person,
      emit,
      clock: systemClock,
      extensionState: () => extensions.state,
      settings: agentSettings(settings, {
        model: settings.defaultModel ?? providers.defaultRef,
        granted: await readGrants(paths.grants, workspaceRoot),
        keepRules: (rules) => addGrants(paths.grants, workspaceRoot, rules),
        addedDirs: parsed.texts("add-dir").map((dir) => resolve(world.cwd, dir)),
        home: paths.home,
        configFile: paths.config,
      }),
    };
    const open = (one: SessionChoice): Promise<Session> =>
      createSession({ ...ports, extensions: extensions.port }, one);
    const session = await open(choice);
    return new SessionRuntime({
      session,
      open,
      extensions,
      models: providers.models,
      frontend: { emit },
      failures,
      problems,
    });
  } catch (error) {
    await extensions.stop();
    throw error;
  }
}

/** For runtimes of the trust record alone: those that `plugin-packages.json` of this home says are enabled. */
export async function startPermission({ home }: Pick<Paths, "home">): Promise<StartPermission> {
  const { mintStartPermission } = await import("@reasonix-ts/host");
  return mintStartPermission(`plugins enabled in ${home}`);
}

const NOTHING: Installed = { specs: [], broken: [], problems: [] };

async function installed(paths: Paths): Promise<Installed> {
  return installedRuntimes(paths.home, { platform: process.platform, node: process.execPath });
}

/** The folder that tools work in, where links end. */
export async function workspaceOf(world: World, parsed: Parsed): Promise<string> {
  const asked = resolve(world.cwd, parsed.text("cwd") ?? ".");
  const isFolder = await stat(asked).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new CommandError(`${asked} is no folder that can be read. Give another with -C <dir>.`);
  return realpath(asked);
}

/** The host's front door is the agent's extensions port: no adapter sits between. */
type HostIsThePort = Host extends Extensions ? true : never;
true satisfies HostIsThePort;
