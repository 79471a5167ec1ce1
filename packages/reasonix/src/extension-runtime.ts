/** The extensions of one session: nothing at all where none is installed, else a host and what it told. */
import type { ExtensionLease, Extensions, ExtensionState } from "@reasonix-ts/agent";
import type {
  BrokenSpec,
  BuildFailure,
  Diagnostics,
  Host,
  HostOptions,
  Receipt,
  ReloadResult,
  SidecarSpec,
  UiAction,
  UiCallResult,
} from "@reasonix-ts/host";

/** What is installed and enabled now. */
export interface Installed {
  readonly specs: readonly SidecarSpec[];
  readonly broken: readonly BrokenSpec[];
  /** For a person: faults that concern no single runtime. */
  readonly problems: readonly string[];
}

export interface Opened {
  readonly runtime: ExtensionRuntime;
  /** Why no generation could be built; the runtime then has no host, and a reload may mend it. */
  readonly failures: readonly BuildFailure[];
}

export type HostBase = Omit<HostOptions, "specs" | "broken" | "ports"> & {
  readonly ports: Omit<HostOptions["ports"], "receipt">;
};

/** Receipts that are kept: more than any turn makes that a person would read through. */
const KEPT_RECEIPTS = 2_000;

/** Owns the host; with nothing installed there is none, and no code of it is loaded. */
export class ExtensionRuntime implements Extensions {
  readonly #read: () => Promise<Installed>;
  readonly #base: () => Promise<HostBase>;
  #host: Host | null = null;
  #receipts: Receipt[] = [];
  #redact: (text: string) => string = (text) => text;

  private constructor(read: () => Promise<Installed>, base: () => Promise<HostBase>) {
    this.#read = read;
    this.#base = base;
  }

  static async open(
    installed: Installed,
    read: () => Promise<Installed>,
    base: () => Promise<HostBase>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Opened> {
    const runtime = new ExtensionRuntime(read, base);
    return { runtime, failures: isEmpty(installed) ? [] : await runtime.#start(installed, options) };
  }

  /** The agent's extensions port, or null where no extension is installed. */
  get port(): Extensions | null {
    return this.#host === null ? null : this;
  }

  lease(): ExtensionLease {
    if (this.#host === null) throw new Error("no extension is installed: ask `port` first");
    return this.#host.lease();
  }

  /** Who ruled since `clearReceipts`; what was changed is redacted, since it is shown and kept outside the transcript. */
  get receipts(): readonly Receipt[] {
    return this.#receipts.map((receipt) => redacted(receipt, this.#redact));
  }

  clearReceipts(): void {
    this.#receipts = [];
  }

  diagnostics(): Diagnostics | null {
    return this.#host?.diagnostics() ?? null;
  }

  /** Who runs and which state they keep, for `<session>.extensions.json`; undefined where no extension is installed. */
  get state(): { readonly plugins: ExtensionState["plugins"] } | undefined {
    const diagnostics = this.diagnostics();
    if (diagnostics === null) return undefined;
    const running = diagnostics.plugins.flatMap(({ plugin, version, stateSchemaVersion }) =>
      stateSchemaVersion === null ? [] : [[plugin, { version, stateSchemaVersion }] as const],
    );
    return { plugins: Object.fromEntries(running) };
  }

  /** What people can run, as `/<plugin>:<action>`. */
  get actions(): readonly UiAction[] {
    return this.#host?.actions ?? [];
  }

  /** Settles within 30 s. Rejects with the signal's reason. */
  async runAction(
    { plugin, actionId }: Pick<UiAction, "plugin" | "actionId">,
    args: { readonly [name: string]: string },
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<UiCallResult> {
    if (this.#host === null) throw new Error("no extension is installed: ask `actions` first");
    return this.#host.runAction(plugin, actionId, args, options);
  }

  /** Sends what a person filled in of a form that is shown. Settles within 30 s; rejects with the signal's reason. */
  async submitForm(
    { plugin, surfaceId }: { readonly plugin: string; readonly surfaceId: string },
    values: { readonly [key: string]: unknown },
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<UiCallResult> {
    if (this.#host === null) throw new Error("no extension is installed: it showed no form");
    return this.#host.submitForm(plugin, surfaceId, values, options);
  }

  /**
   * Reads what is installed now and swaps to it; on failure everything stays as it is. Rejects with the signal's reason
   * when it fires before the swap.
   */
  async reload(options: { readonly signal?: AbortSignal } = {}): Promise<ReloadResult> {
    const next = await this.#read();
    if (this.#host !== null) return this.#host.reload(next, options);
    if (isEmpty(next)) return { kind: "done", generation: 0, plugins: [] };
    const failures = await this.#start(next, options);
    if (failures.length > 0) return { kind: "failed", generation: 0, failures, plugins: [] };
    return { kind: "done", generation: 1, plugins: startedPlugins(this.diagnostics()) };
  }

  async stop(): Promise<void> {
    const host = this.#host;
    this.#host = null;
    await host?.stop();
  }

  async #start(installed: Installed, options: { readonly signal?: AbortSignal }): Promise<readonly BuildFailure[]> {
    const [{ createHost }, base] = await Promise.all([import("@reasonix-ts/host"), this.#base()]);
    this.#redact = base.redact ?? this.#redact;
    const boot = await createHost(
      {
        ...base,
        specs: installed.specs,
        broken: installed.broken,
        ports: { ...base.ports, receipt: (receipt) => this.#keep(receipt) },
      },
      options,
    );
    if (boot.kind === "failed") return boot.failures;
    this.#host = boot.host;
    return [];
  }

  #keep(receipt: Receipt): void {
    if (this.#receipts.length >= KEPT_RECEIPTS) this.#receipts.shift();
    this.#receipts.push(receipt);
  }
}

function redacted(receipt: Receipt, redact: (text: string) => string): Receipt {
  if (receipt.changes === undefined) return receipt;
  const shown = (text: string | null): string | null => (text === null ? null : redact(text));
  const changes = receipt.changes.map((change) => ({
    ...change,
    before: shown(change.before),
    after: shown(change.after),
  }));
  return { ...receipt, changes };
}

function isEmpty(installed: Installed): boolean {
  return installed.specs.length === 0 && installed.broken.length === 0;
}

function startedPlugins(diagnostics: Diagnostics | null): { readonly name: string; readonly newPid?: number }[] {
  return (diagnostics?.plugins ?? []).map(({ plugin, pid }) => ({
    name: plugin,
    ...(pid === null ? {} : { newPid: pid }),
  }));
}
