/** What the parts of a session share: its transcript, permissions, jobs, and the way to an agent's run. */
import { askingInOrder } from "./asking.ts";
import { RoomKeeper } from "./compaction/keeper.ts";
import { Events } from "./events.ts";
import { Meter } from "./meter.ts";
import { Permissions } from "./permissions/permissions.ts";
import { PinnedCache, type Pinned } from "./pinned.ts";
import * as points from "./points.ts";
import type { Clock, Emit, ExtensionLease, Extensions, Model, Models, Person } from "./ports.ts";
import { readMemory } from "./prompt/memory.ts";
import { PrefixWatch } from "./prompt/prefix-watch.ts";
import { comparePrefix, prefixOf, type PrefixReport } from "./prompt/prefix.ts";
import { volatileTail } from "./prompt/tail.ts";
import { systemPrompt } from "./prompt/system.ts";
import type { AgentRun } from "./run.ts";
import { EXTENSION_STATE_VERSION, writeExtensionState, type ExtensionState } from "./session/extension-state.ts";
import { sessionPaths, type SessionPaths } from "./session/store.ts";
import type { Transcript } from "./session/transcript.ts";
import { UndoJournal } from "./session/undo.ts";
import type { SessionSettings } from "./settings.ts";
import { subagentsOf, type AgentDefinition } from "./subagents.ts";
import { builtInTools } from "./tools/built-in.ts";
import { Jobs } from "./tools/jobs.ts";
import type { Todo, ToolServices } from "./tools/services.ts";
import type { Tool } from "./tools/tool.ts";

export interface SessionPorts {
  /** Absolute path of the workspace. */
  readonly workspaceRoot: string;
  readonly sessionsDir: string;
  readonly models: Models;
  /** Null where no extension is installed. */
  readonly extensions: Extensions | null;
  readonly person: Person;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly settings: SessionSettings;
  /** Tools of others, such as MCP servers, behind the built-in ones. */
  readonly extraTools?: readonly Tool[];
  /** Sub-agents that the `task` tool offers beside the general one. */
  readonly agents?: readonly AgentDefinition[];
  /** What extensions keep about the session, asked at each save; undefined while there is none. */
  readonly extensionState?: () => Pick<ExtensionState, "plugins" | "surfaces"> | undefined;
}

export class SessionCore {
  readonly ports: SessionPorts;
  readonly events: Events;
  readonly meter = new Meter();
  readonly jobs = new Jobs();
  readonly keeper: RoomKeeper;
  readonly permissions: Permissions;
  readonly pinned: PinnedCache;
  readonly #person: Person;
  readonly #prefixWatch = new PrefixWatch();
  #extensions: Extensions | null;
  #id: string;
  #paths: SessionPaths;
  #transcript: Transcript;
  #undo: UndoJournal;
  #model: { readonly ref: string; readonly effort: string | null };
  #todos: readonly Todo[] = [];
  #prefix: PrefixReport | null = null;
  #notedFor: Pinned | null = null;
  /** The model whose prices were found missing, so that it is told once. */
  #unpriced: string | null = null;
  /** Whether the last save was held back by an extension. */
  #unsaved = false;

  constructor(ports: SessionPorts, id: string, transcript: Transcript) {
    const { settings, workspaceRoot, sessionsDir } = ports;
    this.ports = ports;
    this.#id = id;
    this.#paths = sessionPaths(sessionsDir, id);
    this.#transcript = transcript;
    this.#undo = new UndoJournal(this.#paths.undo);
    this.#extensions = ports.extensions;
    this.#model = transcript.state.model ?? { ref: settings.model, effort: settings.effort };
    this.keeper = new RoomKeeper(settings.compaction);
    this.events = new Events({ emit: ports.emit, clock: ports.clock, sessionId: () => this.#id });
    this.#person = askingInOrder(ports.person, this.events);
    this.permissions = new Permissions({ ...settings.permissions, workspaceRoot, readableDirs: [sessionsDir] });
    this.pinned = new PinnedCache({
      ownTools: [...builtInTools(ports.agents ?? []), ...(ports.extraTools ?? [])],
      workspaceRoot,
      prompt: () => this.#hostPrompt(),
    });
    for (const { usage, cost, currency } of transcript.state.spent) {
      this.meter.add(usage ?? null, cost === undefined ? null : { amount: cost, currency: currency ?? null });
    }
  }

  get id(): string {
    return this.#id;
  }

  get paths(): SessionPaths {
    return this.#paths;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  get undo(): UndoJournal {
    return this.#undo;
  }

  get clock(): Clock {
    return this.ports.clock;
  }

  get model(): { readonly ref: string; readonly effort: string | null } {
    return this.#model;
  }

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  get prefix(): PrefixReport | null {
    return this.#prefix;
  }

  /** Pins the live generation; whoever takes a lease releases it. */
  lease(): ExtensionLease | null {
    return this.#extensions?.lease() ?? null;
  }

  /** Carries the session over to other extensions: between turns only. */
  useExtensions(extensions: Extensions | null): void {
    this.#extensions = extensions;
    this.pinned.forget();
  }

  /** Goes on with another transcript, and the same model: after a rotation. */
  async useTranscript(id: string, transcript: Transcript): Promise<void> {
    this.#id = id;
    this.#paths = sessionPaths(this.ports.sessionsDir, id);
    this.#transcript = transcript;
    this.#undo = new UndoJournal(this.#paths.undo);
    this.#prefix = null;
    this.#notedFor = null;
    this.#todos = [];
    if (this.#model.ref !== this.ports.settings.model) await this.setModel(this.#model.ref, this.#model.effort);
  }

  async setModel(ref: string, effort: string | null): Promise<void> {
    this.#model = { ref, effort };
    await this.#transcript.record({ type: "model", model: ref, ...(effort === null ? {} : { effort }) });
  }

  /** The main agent's run in one turn. */
  run(lease: ExtensionLease | null, pinned: Pinned, signal: AbortSignal): AgentRun {
    const { settings, clock } = this.ports;
    const run: AgentRun = {
      agent: "main",
      sessionId: this.#id,
      lease,
      model: this.resolve(lease),
      effort: this.#model.effort,
      system: pinned.system,
      tools: pinned.tools,
      conversation: this.#transcript,
      tail: () => this.#tail(),
      limits: settings.limits,
      meter: this.meter,
      events: this.events,
      permissions: this.permissions,
      person: this.#person,
      clock,
      services: this.#services(() => run),
      note: (text) => this.#transcript.record({ type: "note", text }),
      prefixWatch: this.#prefixWatch,
      makeRoom: () => this.keeper.makeRoom(run),
      counted: (tokens) => this.keeper.counted(tokens, this.#transcript.messages.length),
      signal,
    };
    return run;
  }

  resolve(lease: ExtensionLease | null): Model {
    return this.ports.models.resolve(this.#model.ref, lease);
  }

  /** A limit on costs is worth nothing where no price is known; the person is told once for each model. */
  warnWithoutPrice({ ref, descriptor }: Model): void {
    const { inputPerMillion: input, outputPerMillion: output } = descriptor;
    if (this.ports.settings.limits.maxCost === null || (input !== undefined && output !== undefined)) return;
    if (this.#unpriced === ref) return;
    this.#unpriced = ref;
    const text = `The limit on costs cannot be held with ${ref}: its prices are not known.`;
    this.events.emit({ kind: "notice", severity: "warn", text });
  }

  /** Notes a prefix that differs from the one before, so that a cold cache can be explained. */
  async notePrefix(pinned: Pinned): Promise<void> {
    if (this.#notedFor === pinned) return;
    this.#notedFor = pinned;
    const prefix = prefixOf(pinned);
    const before = this.#transcript.state.prefix;
    this.#prefix = comparePrefix(prefix, before);
    if (before !== null && this.#prefix.changed === null) return;
    await this.#transcript.record({ type: "prefix", ...prefix });
  }

  /** Asks session.save and brings the session to disk; a block holds that back until the next save. */
  async save(lease: ExtensionLease | null): Promise<void> {
    const saving = points.sessionSave(lease, this.#paths.transcript, { agent: "main", sessionId: this.#id });
    const ruled = points.isPending(saving) ? await saving : saving;
    if (ruled.kind !== "proceed") {
      this.#unsaved = true;
      const text = `The session is not saved yet, and is tried again: ${ruled.text}`;
      this.events.emit({ kind: "notice", severity: "warn", text, plugin: ruled.plugin });
      return;
    }
    this.#unsaved = false;
    await this.#transcript.sync();
    const state = this.ports.extensionState?.();
    if (state === undefined) return;
    await writeExtensionState(this.#paths.extensions, {
      version: EXTENSION_STATE_VERSION,
      model: this.#model.ref,
      ...state,
    });
  }

  get unsaved(): boolean {
    return this.#unsaved;
  }

  #services(run: () => AgentRun): ToolServices {
    return {
      workspaceRoot: this.ports.workspaceRoot,
      resultsDir: this.#paths.results,
      person: this.#person,
      jobs: this.jobs,
      undo: this.#undo,
      confinement: () => this.permissions.confinement(),
      fetchAllow: this.ports.settings.fetchAllow,
      setTodos: (todos) => {
        this.#todos = todos;
      },
      runSubagent: subagentsOf(run, this.ports.agents ?? [], this.ports.settings.compaction),
    };
  }

  #tail(): string | null {
    return volatileTail({ goal: this.#transcript.state.goal, jobs: this.jobs.list() });
  }

  async #hostPrompt(): Promise<string> {
    const { workspaceRoot, settings } = this.ports;
    return systemPrompt({
      workspaceRoot,
      addedDirs: settings.permissions.addedDirs,
      platform: process.platform,
      instructions: settings.instructions,
      memory: settings.memory ? await readMemory(workspaceRoot) : [],
    });
  }
}
