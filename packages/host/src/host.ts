/** The front door: starts the extensions it is given and rules on points until it is stopped. */
import { randomUUID } from "node:crypto";
import type { UiHost } from "@reasonix-ts/protocol";
import { createRedactor } from "@reasonix-ts/text";
import { systemHostClock, type HostClock } from "./clock.ts";
import { diagnose, type Diagnostics } from "./diagnostics.ts";
import { buildGeneration, type BuildContext } from "./generation/build.ts";
import type { BuildFailure } from "./generation/failure.ts";
import { leaseOn, type Lease } from "./generation/lease.ts";
import { comparePlugins, failedPlugins, type ReloadResult } from "./generation/reload.ts";
import type { Generation } from "./generation/snapshot.ts";
import type { Lineup } from "./generation/start-all.ts";
import type { HostSession } from "./handshake.ts";
import { contentReads, noBrowser } from "./inbound.ts";
import type { HostPorts, Notice } from "./ports.ts";
import { PrefixWatch, type PrefixChange } from "./prefix.ts";
import { Streams } from "./providers/streams.ts";
import { redactionDoor } from "./redaction.ts";
import { actionsOf, runAction, submitForm, type UiAction, type UiCallParts, type UiCallResult } from "./ui-calls.ts";
import { UiHub } from "./ui-hub.ts";
import { isStartPermission, type StartPermission } from "./trust.ts";

export interface HostOptions extends Lineup {
  readonly permission: StartPermission;
  readonly session: HostSession;
  readonly uiHost: UiHost;
  /** Inherited by every sidecar as it is. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly ports: HostPorts;
  /** Takes secrets out of texts for people; by default shapes and the environment's secret values. */
  readonly redact?: (text: string) => string;
  readonly clock?: HostClock;
  /** Whether calls are counted and timed for `diagnostics()`; true by default, and when false it costs nothing. */
  readonly stats?: boolean;
  /** Takes every frame as a redacted line of JSON, without line end; costs nothing when absent. Must not throw. */
  readonly trace?: (line: string) => void;
  /**
   * Takes each line that a sidecar writes to stderr, and one for each thing of it that is ignored: an answer to a call
   * that has ended or was never made, an unknown notification, a surface of an older generation. Lines name the plugin,
   * are redacted and free of control characters. Costs nothing when absent. Must not throw.
   */
  readonly debug?: (line: string) => void;
}

export interface Host {
  /** Number of the live generation; the first is 1. */
  readonly generation: number;
  /** Pins the live generation. Throws once the host was stopped. */
  lease(): Lease;
  /**
   * Builds the next generation beside the live one and swaps; one after another when called more than once.
   * Rejects only when the signal fires or the host is stopped before the swap: the old generation then goes on.
   */
  reload(lineup: Lineup, options?: { readonly signal?: AbortSignal }): Promise<ReloadResult>;
  diagnostics(): Diagnostics;
  /** What people can run of the live generation, as `/<plugin>:<action>`. */
  readonly actions: readonly UiAction[];
  /** Runs an action, within 30 s. Rejects only with the signal's reason. */
  runAction(
    plugin: string,
    actionId: string,
    args: { readonly [name: string]: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<UiCallResult>;
  /** Sends what a person filled in of a form that is shown, within 30 s. Rejects only with the signal's reason. */
  submitForm(
    plugin: string,
    surfaceId: string,
    values: { readonly [key: string]: unknown },
    options?: { readonly signal?: AbortSignal },
  ): Promise<UiCallResult>;
  /** Stops every sidecar of every generation, leased or not; settles when their processes are gone. */
  stop(): Promise<void>;
}

export type Boot =
  | { readonly kind: "ready"; readonly host: Host }
  /** Nothing runs. Mend the cause and create the host again. */
  | { readonly kind: "failed"; readonly failures: readonly BuildFailure[] };

/**
 * A build that fails is a result, not a rejection. Rejects with a TypeError without a genuine permission, and with the
 * signal's reason when it fires before the host is ready; what had been started is then gone.
 */
export async function createHost(
  options: HostOptions,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<Boot> {
  if (!isStartPermission(options.permission))
    throw new TypeError("a host starts processes only with a permission that mintStartPermission made");
  const context = contextOf(options);
  const built = await buildGeneration(1, options, context, signal);
  signal.throwIfAborted();
  if (!built.ok) return { kind: "failed", failures: built.failures };
  return { kind: "ready", host: new RunningHost(context, built.generation) };
}

function contextOf(options: HostOptions): BuildContext {
  const { session, uiHost, environment, ports, clock = systemHostClock } = options;
  const { redact, learn } = redactionDoor(options.redact ?? createRedactor({ environment }).redact);
  const notice = (one: Notice): void => ports.notice(one);
  const epoch = randomUUID();
  const debug = options.debug ?? null;
  const hub = new UiHub({ sessionId: session.sessionId, port: ports.ui, redact, clock, notice, debug });
  const streams = new Streams({ epoch, clock, redact });
  const inbound = [contentReads, hub.inbound, streams.inbound, noBrowser];
  return {
    start: {
      session: { ...session, epoch },
      uiHost,
      environment,
      inbound,
      redact,
      clock,
      notice,
      trace: options.trace ?? null,
      debug,
    },
    ports,
    hub,
    streams,
    learnSecrets: learn,
    counts: options.stats ?? true,
    prefix: new PrefixWatch((change) => notice(prefixNotice(change))),
  };
}

class RunningHost implements Host {
  readonly #context: BuildContext;
  readonly #stopped = new AbortController();
  readonly #retiring = new Set<Generation>();
  #live: Generation;
  #reloading: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(context: BuildContext, first: Generation) {
    this.#context = context;
    this.#live = first;
    this.#wentLive();
  }

  get generation(): number {
    return this.#live.snapshot.number;
  }

  lease(): Lease {
    if (this.#stopping !== undefined) throw new Error("the host was stopped: create another one");
    return leaseOn(this.#live);
  }

  reload(lineup: Lineup, { signal }: { readonly signal?: AbortSignal } = {}): Promise<ReloadResult> {
    const stopped = this.#stopped.signal;
    const given = signal === undefined ? stopped : AbortSignal.any([stopped, signal]);
    const result = this.#reloading.then(() => this.#swap(lineup, given));
    this.#reloading = result.catch(() => {});
    return result;
  }

  diagnostics(): Diagnostics {
    const { prefix, start } = this.#context;
    return diagnose(this.#live, this.#retiring, prefix.changes(), start.redact);
  }

  get actions(): readonly UiAction[] {
    return actionsOf(this.#live.snapshot.seats, this.#context.start.redact);
  }

  runAction(
    plugin: string,
    actionId: string,
    args: { readonly [name: string]: string },
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<UiCallResult> {
    return this.#pinned((parts) => runAction(parts, plugin, actionId, args, options));
  }

  submitForm(
    plugin: string,
    surfaceId: string,
    values: { readonly [key: string]: unknown },
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<UiCallResult> {
    return this.#pinned((parts) => submitForm(parts, plugin, surfaceId, values, options));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #swap(lineup: Lineup, signal: AbortSignal): Promise<ReloadResult> {
    signal.throwIfAborted();
    const old = this.#live;
    const { number } = old.snapshot;
    const running = old.snapshot.seats.flatMap(({ plugin, sidecar }) =>
      sidecar?.state.kind === "ready" ? [plugin] : [],
    );
    const built = await buildGeneration(number + 1, lineup, this.#context, signal, new Set(running));
    // The next build has the same number: nothing of this one may be shown with it.
    if (!built.ok) this.#context.hub.discard(number + 1);
    signal.throwIfAborted();
    if (!built.ok) {
      const { failures } = built;
      return { kind: "failed", generation: number, failures, plugins: failedPlugins(old.snapshot, failures) };
    }
    this.#live = built.generation;
    this.#wentLive();
    this.#retiring.add(old);
    void old.stopped.then(() => this.#retiring.delete(old));
    old.retire();
    const { snapshot } = built.generation;
    return { kind: "done", generation: snapshot.number, plugins: comparePlugins(old.snapshot, snapshot) };
  }

  async #stopAll(): Promise<void> {
    this.#stopped.abort(new Error("the host was stopped: create another one"));
    this.#context.hub.close();
    // A build that is under way takes down what it has started.
    await this.#reloading;
    await Promise.all([this.#live, ...this.#retiring].map((generation) => generation.stop()));
  }

  /** A call that a person makes holds the generation it is made to. */
  async #pinned<T>(call: (parts: UiCallParts) => Promise<T>): Promise<T> {
    const { hub, start } = this.#context;
    const live = this.#live;
    const release = live.pin();
    try {
      return await call({
        seats: live.snapshot.seats,
        hub,
        sessionId: start.session.sessionId,
        redact: start.redact,
      });
    } finally {
      release();
    }
  }

  #wentLive(): void {
    const { number, seats, catalogues } = this.#live.snapshot;
    this.#context.hub.goLive(number);
    const contributions = seats.map(({ plugin, sidecar }) => ({
      plugin,
      tools: sidecar?.spec.tools.filter(({ name }) => sidecar.grant.tools.has(name)) ?? [],
      models: catalogues.get(plugin)?.models ?? [],
    }));
    this.#context.prefix.noteGeneration(number, contributions);
  }
}

function prefixNotice({ kind, part, plugin, slot }: PrefixChange): Notice {
  const where = slot === null ? `plugin "${plugin}"` : `plugin "${plugin}" as owner of "${slot}"`;
  const text =
    kind === "prefixChanged"
      ? `The front of the model's requests changed (${part.replace("_", " ")}), by ${where}: the provider's prefix cache is cold once for each such change.`
      : `The models of plugin "${plugin}" changed; the front of requests is the same.`;
  return { severity: "info", code: "prefix_changed", plugin, text };
}
