/** A session of the library over a real host and real sidecars: what the model was sent, and what a frontend saw. */
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import {
  createSession,
  sessionSettings,
  systemClock,
  type Models,
  type Session,
  type SessionChoice,
  type SessionSettings,
} from "@reasonix-ts/agent";
import type { AgentEvent, EventKind, EventOf } from "@reasonix-ts/events";
import { mintStartPermission, type AuditEntry, type SidecarSpec } from "@reasonix-ts/host";
import { afterEach } from "vitest";
import { ExtensionRuntime } from "../../../src/extension-runtime.ts";
import type { Frontend } from "../../../src/frontend.ts";
import { hostPorts } from "../../../src/host-ports.ts";
import { NOBODY } from "../../../src/nobody.ts";
import { SessionRuntime } from "../../../src/session-runtime.ts";

const undone: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const undo of undone.splice(0).reverse()) await undo();
});

export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "reasonix-bring-")));
  undone.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface StageOptions {
  readonly models: Models;
  readonly model: string;
  readonly plugins: readonly PluginOptions[];
  readonly frontend?: Partial<Frontend>;
  readonly settings?: Partial<SessionSettings>;
  readonly choice?: SessionChoice;
  readonly folder?: string;
}

export interface PluginOptions extends Partial<Omit<SidecarSpec, "plugin">> {
  readonly plugin: string;
  /** File below `fixtures`, or an absolute path. */
  readonly fixture: string;
}

export interface Stage {
  readonly extensions: ExtensionRuntime;
  /** The session as the command drives it: with reloads that wait. */
  readonly runtime: SessionRuntime;
  readonly session: Session;
  readonly folder: string;
  readonly workspace: string;
  readonly events: readonly AgentEvent[];
  readonly audits: readonly AuditEntry[];
  readonly of: <K extends EventKind>(kind: K) => readonly EventOf<K>[];
  /** What the next reload reads as installed. */
  readonly install: (plugins: readonly PluginOptions[]) => void;
  /** What the sidecar of this plugin received, in order, over all of its processes. */
  readonly frames: (plugin: string, method: string) => Promise<readonly Frame[]>;
  readonly log: (plugin: string) => Promise<readonly { readonly [member: string]: unknown }[]>;
}

export interface Frame {
  readonly method: string;
  readonly params: { readonly [member: string]: unknown };
  readonly _meta?: { readonly [member: string]: unknown };
}

export async function stage(options: StageOptions): Promise<Stage> {
  const folder = options.folder ?? (await temporaryFolder());
  const workspace = path.join(folder, "workspace");
  await mkdir(workspace, { recursive: true });
  const events: AgentEvent[] = [];
  const audits: AuditEntry[] = [];
  let installed = options.plugins;

  const frontend: Frontend = {
    uiHost: "headless",
    person: NOBODY,
    close: () => {},
    ...options.frontend,
    emit: (event) => {
      events.push(event);
      options.frontend?.emit?.(event);
    },
  };
  const read = () => ({ specs: installed.map((one) => specOf(folder, one)), broken: [], problems: [] });
  const { runtime: extensions, failures } = await ExtensionRuntime.open(
    read(),
    async () => read(),
    async () => ({
      permission: mintStartPermission("tests"),
      session: { sessionId: "stage-session", workspaceRoot: workspace },
      uiHost: frontend.uiHost,
      environment: { PATH: process.env["PATH"] },
      ports: hostPorts(frontend, async (entry) => {
        audits.push(entry);
      }),
    }),
  );
  undone.push(() => extensions.stop());
  const settings = sessionSettings(options.model, options.settings);
  const open = (choice: SessionChoice): Promise<Session> =>
    createSession(
      {
        workspaceRoot: workspace,
        sessionsDir: path.join(folder, "sessions"),
        models: options.models,
        extensions: extensions.port,
        person: frontend.person,
        emit: (event) => frontend.emit(event),
        clock: systemClock,
        settings: options.settings?.permissions
          ? settings
          : { ...settings, permissions: { ...settings.permissions, approvals: "auto" } },
      },
      choice,
    );
  const session = await open(options.choice ?? { kind: "new" });
  undone.push(() => session.close());
  const log = (plugin: string) => logOf(folder, plugin);
  return {
    extensions,
    runtime: new SessionRuntime({
      session,
      open,
      extensions,
      models: options.models,
      frontend,
      failures,
      problems: [],
    }),
    session,
    folder,
    workspace,
    events,
    audits,
    of: (kind) => eventsOf(events, kind),
    install: (plugins) => {
      installed = plugins;
    },
    log,
    frames: async (plugin, method) => {
      const entries = await log(plugin);
      return entries.flatMap((entry) => (isFrame(entry) && entry.method === method ? [entry] : []));
    },
  };
}

/** Waits until the condition holds; fails after 20 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never became true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function isFrame(entry: object): entry is Frame {
  return "method" in entry && "params" in entry;
}

function eventsOf<K extends EventKind>(events: readonly AgentEvent[], kind: K): readonly EventOf<K>[] {
  const found: EventOf<K>[] = [];
  for (const event of events) if (isOf(event, kind)) found.push(event);
  return found;
}

function isOf<K extends EventKind>(event: { readonly kind: string }, kind: K): event is EventOf<K> {
  return event.kind === kind;
}

/** What the sidecars of a plugin noted in a folder. */
export async function logOf(
  folder: string,
  plugin: string,
): Promise<readonly { readonly [member: string]: unknown }[]> {
  const text = await readFile(logFile(folder, plugin), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): { readonly [member: string]: unknown } => JSON.parse(line));
}

function logFile(folder: string, plugin: string): string {
  return path.join(folder, `${plugin}.log`);
}

function specOf(folder: string, { plugin, fixture, env, ...more }: PluginOptions): SidecarSpec {
  return {
    plugin,
    version: "1.0.0",
    source: `/src/${plugin}`,
    root: folder,
    command: process.execPath,
    args: [path.isAbsolute(fixture) ? fixture : fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url))],
    required: false,
    priority: 0,
    timeoutMillis: 0,
    intercepts: [],
    replaces: [],
    capabilities: ["interceptors", "strategies", "providers", "tools", "ui"],
    tools: [],
    requires: [],
    provides: [],
    ...more,
    env: { LOG: logFile(folder, plugin), REASONIX_PLUGIN_NAME: plugin, ...env },
  };
}
