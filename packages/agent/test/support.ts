/** What tests of the agent share: a session in a folder of its own, models that are scripted, leases that rule by a table. */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { AgentEvent, EventKind, EventOf } from "@reasonix-ts/events";
import type { Payloads, PointName } from "@reasonix-ts/protocol";
import { afterEach } from "vitest";
import {
  createModels,
  createSession,
  OFFLINE_REF,
  sessionSettings,
  systemClock,
  type Extensions,
  type ExtensionLease,
  type ExtensionTool,
  type Model,
  type ModelChunk,
  type ModelRequest,
  type Models,
  type Person,
  type Ruling,
  type Scope,
  type Session,
  type SessionChoice,
  type SessionPorts,
  type SessionSettings,
} from "../src/index.ts";

const undone: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const undo of undone.splice(0).reverse()) await undo();
});

export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "reasonix-agent-")));
  undone.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export const NOBODY: Person = {
  present: false,
  ask: async () => ({ kind: "cancelled" }),
  askPermission: async () => "no",
};

export interface Bench {
  readonly session: Session;
  readonly workspace: string;
  readonly sessionsDir: string;
  readonly events: AgentEvent[];
  readonly of: <K extends EventKind>(kind: K) => readonly EventOf<K>[];
}

export interface BenchOptions {
  readonly models?: Models;
  readonly model?: string;
  readonly extensions?: Extensions | null;
  readonly person?: Person;
  readonly settings?: Partial<SessionSettings>;
  readonly ports?: Partial<SessionPorts>;
  readonly choice?: SessionChoice;
  readonly folder?: string;
}

/** A session whose commands are confined by bubblewrap where the machine has it, and whose approvals are automatic. */
export async function bench(options: BenchOptions = {}): Promise<Bench> {
  const folder = options.folder ?? (await temporaryFolder());
  const workspace = path.join(folder, "workspace");
  const sessionsDir = path.join(folder, "sessions");
  await mkdir(workspace, { recursive: true });
  const events: AgentEvent[] = [];
  const settings = sessionSettings(options.model ?? OFFLINE_REF, options.settings);
  const session = await createSession(
    {
      workspaceRoot: workspace,
      sessionsDir,
      models: options.models ?? createModels({ providers: [], apiKey: () => undefined, clock: systemClock }),
      extensions: options.extensions ?? null,
      person: options.person ?? NOBODY,
      emit: (event) => events.push(event),
      clock: systemClock,
      settings: options.settings?.permissions
        ? settings
        : { ...settings, permissions: { ...settings.permissions, approvals: "auto" } },
      ...options.ports,
    },
    options.choice,
  );
  undone.push(() => session.close());
  return {
    session,
    workspace,
    sessionsDir,
    events,
    of: (kind) => eventsOf(events, kind),
  };
}

function eventsOf<K extends EventKind>(events: readonly AgentEvent[], kind: K): readonly EventOf<K>[] {
  const found: EventOf<K>[] = [];
  for (const event of events) if (isOf(event, kind)) found.push(event);
  return found;
}

function isOf<K extends EventKind>(event: { readonly kind: string }, kind: K): event is EventOf<K> {
  return event.kind === kind;
}

/** A model that answers each request with the next list of chunks, and keeps what it was sent. */
export function scriptedModel(
  answers: readonly (readonly ModelChunk[] | ((request: ModelRequest) => readonly ModelChunk[]))[],
  descriptor: Partial<Model["descriptor"]> = {},
): Models & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: Model = {
    ref: "test/scripted",
    descriptor: { ref: "test/scripted", ...descriptor },
    async *stream(request) {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1] ?? [];
      yield typeof answer === "function" ? answer(request) : answer;
    },
  };
  return { requests, resolve: () => model, list: () => [model.descriptor] };
}

export function says(text: string): readonly ModelChunk[] {
  return [{ type: "text", text }, { type: "done" }];
}

export function calls(...wanted: readonly (readonly [name: string, args: object])[]): readonly ModelChunk[] {
  return [
    ...wanted.map(([name, args], index): ModelChunk => ({
      type: "tool_call",
      toolCall: { id: `call_${index}_${name}`, name, arguments: JSON.stringify(args) },
    })),
    { type: "done" },
  ];
}

type Rulings = { readonly [P in PointName]?: (payload: Payloads[P], scope: Scope) => Ruling<P> | Promise<Ruling<P>> };

export interface Asked {
  readonly point: PointName;
  readonly payload: unknown;
  readonly scope: Scope;
}

/** Extensions that rule as the table says, and keep a list of what they were asked. */
export function tableExtensions(
  rulings: Rulings,
  more: Partial<Pick<ExtensionLease, "tools" | "models" | "callTool" | "stream">> & {
    readonly wants?: readonly PointName[];
    readonly generation?: () => number;
  } = {},
): Extensions & { readonly asked: Asked[]; readonly leases: { taken: number; released: number } } {
  const asked: Asked[] = [];
  const leases = { taken: 0, released: 0 };
  const rule = async <P extends PointName>(point: P, payload: Payloads[P], scope: Scope): Promise<Ruling<P>> => {
    asked.push({ point, payload, scope });
    const ruling = rulings[point];
    return ruling === undefined ? { kind: "proceed", payload, changedBy: [] } : await ruling(payload, scope);
  };
  const tools: readonly ExtensionTool[] = more.tools ?? [];
  return {
    asked,
    leases,
    lease() {
      leases.taken++;
      let released = false;
      const live = <A extends readonly unknown[], R>(work: (...args: A) => R): ((...args: A) => R) => {
        return (...args) => {
          if (released) throw new Error("this lease was released");
          return work(...args);
        };
      };
      return {
        generation: more.generation?.() ?? 1,
        wants: (point) => Object.hasOwn(rulings, point) || (more.wants ?? []).includes(point),
        rule: (point, payload, scope) => {
          if (released) throw new Error("this lease was released");
          return rule(point, payload, scope);
        },
        tools,
        callTool: live(more.callTool ?? (async () => ({ content: "", isError: false }))),
        models: more.models ?? [],
        stream: live(more.stream ?? (() => emptyStream())),
        providerFor: () => null,
        release: () => {
          released = true;
          leases.released++;
        },
      };
    },
  };
}

async function* emptyStream(): AsyncGenerator<never> {}

export function replaced<P extends PointName>(payload: Payloads[P], by = "tester"): Ruling<P> {
  return { kind: "proceed", payload, changedBy: [by] };
}

export function blocked(reason: string, plugin = "guard"): { kind: "blocked"; plugin: string; reason: string } {
  return { kind: "blocked", plugin, reason };
}

export function failed(message: string, plugin = "guard"): Extract<Ruling<"input.receive">, { kind: "failed" }> {
  return { kind: "failed", plugin, reason: "internal", message };
}
