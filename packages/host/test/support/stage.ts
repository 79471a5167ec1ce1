/** A stage for tests: temp folders, specs of the raw sidecar, ports that note what they hear, and an end for all of it. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Payloads, PointName } from "@reasonix-ts/protocol";
import { createHost, mintStartPermission, systemHostClock } from "../../src/index.ts";
import type {
  AuditEntry,
  GuardQuestion,
  Host,
  HostOptions,
  HostPorts,
  Notice,
  Receipt,
  Ruling,
  Scope,
  SidecarSpec,
} from "../../src/index.ts";

export const FIXTURE = fileURLToPath(new URL("../fixtures/sidecar.mjs", import.meta.url));
const permission = mintStartPermission("tests");

/** What the raw sidecar is told; see fixtures/sidecar.mjs. */
export type Script = { readonly [key: string]: unknown };

export interface Stage {
  readonly folder: string;
  readonly notices: Notice[];
  readonly audits: AuditEntry[];
  readonly questions: GuardQuestion[];
  readonly receipts: Receipt[];
  spec(plugin: string, overrides?: Partial<SidecarSpec>, script?: Script): SidecarSpec;
  options(
    specs: readonly SidecarSpec[],
    overrides?: Partial<Omit<HostOptions, "ports">>,
    ports?: Partial<HostPorts>,
  ): HostOptions;
  /** Boots, and fails the test when the build fails. */
  host(
    specs: readonly SidecarSpec[],
    overrides?: Partial<Omit<HostOptions, "ports">>,
    ports?: Partial<HostPorts>,
  ): Promise<Host>;
  /** What the sidecar of this plugin noted so far. */
  log(plugin: string): Promise<readonly { readonly [key: string]: unknown }[]>;
  /** Frames of one method, with params of any shape. */
  frames(plugin: string, method: string): Promise<readonly Frame[]>;
  /** Stops every host and removes every file. */
  strike(): Promise<void>;
}

export interface Frame {
  readonly method: string;
  readonly params: { readonly [key: string]: unknown };
  readonly _meta?: unknown;
}

export async function setStage(): Promise<Stage> {
  const folder = await mkdtemp(path.join(tmpdir(), "reasonix-host-"));
  const hosts: Host[] = [];
  const notices: Notice[] = [];
  const audits: AuditEntry[] = [];
  const questions: GuardQuestion[] = [];
  const receipts: Receipt[] = [];
  const stage: Stage = {
    folder,
    notices,
    audits,
    questions,
    receipts,
    spec: (plugin, overrides = {}, script = {}) => ({
      plugin,
      version: "1.0.0",
      source: `/src/${plugin}`,
      root: folder,
      command: process.execPath,
      args: [FIXTURE],
      required: false,
      priority: 0,
      timeoutMillis: 0,
      intercepts: [],
      replaces: [],
      capabilities: ["interceptors", "strategies"],
      tools: [],
      requires: [],
      provides: [],
      ...overrides,
      env: {
        SCRIPT: JSON.stringify(script),
        LOG: path.join(folder, `${plugin}.log`),
        REASONIX_PLUGIN_NAME: plugin,
        ...overrides.env,
      },
    }),
    options: (specs, overrides = {}, ports = {}) => ({
      specs,
      permission,
      session: { sessionId: "session-1", workspaceRoot: folder },
      uiHost: "headless",
      environment: { PATH: process.env["PATH"] },
      clock: systemHostClock,
      ...overrides,
      ports: {
        notice: (notice) => void notices.push(notice),
        audit: (entry) => void audits.push(entry),
        askPerson: null,
        ui: null,
        receipt: (receipt) => void receipts.push(receipt),
        ...ports,
      },
    }),
    async host(specs, overrides, ports) {
      const boot = await createHost(stage.options(specs, overrides, ports));
      if (boot.kind === "failed") throw new Error(boot.failures.map(({ message }) => message).join("\n"));
      hosts.push(boot.host);
      return boot.host;
    },
    async log(plugin) {
      const text = await readFile(path.join(folder, `${plugin}.log`), "utf8").catch(() => "");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { readonly [key: string]: unknown });
    },
    async frames(plugin, method) {
      const entries = await stage.log(plugin);
      return entries.filter((entry) => entry["method"] === method) as unknown as readonly Frame[];
    },
    async strike() {
      await Promise.all(hosts.map((host) => host.stop()));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return stage;
}

/** Rules once on the live generation. */
export async function ruleOnce<P extends PointName>(
  host: Host,
  point: P,
  payload: Payloads[P],
  scope: Scope = {},
): Promise<Ruling<P>> {
  const lease = host.lease();
  try {
    return await lease.rule(point, payload, scope);
  } finally {
    lease.release();
  }
}

/** Waits until the condition holds; fails after 20 s. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never became true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
