/** Boots our host around impostors, notes what it says, and takes everything down again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createHost,
  mintStartPermission,
  systemHostClock,
  type Boot,
  type Host,
  type HostClock,
  type Notice,
  type Receipt,
  type SidecarSpec,
} from "@reasonix-ts/host";
import type { Payloads, PointName } from "@reasonix-ts/protocol";
import { impostorPath } from "../../support/judging.ts";

/** What a misbehaving plugin is to its host. */
export const ROLES = ["optional", "required", "owner"] as const;
export type Role = (typeof ROLES)[number];

const permission = mintStartPermission("tests of the referee");

export interface Stage {
  readonly folder: string;
  readonly notices: readonly Notice[];
  readonly receipts: readonly Receipt[];
  boot(specs: readonly SidecarSpec[], options?: { readonly clock?: HostClock }): Promise<Boot>;
  /** Boots, and throws when the build fails. */
  host(specs: readonly SidecarSpec[], options?: { readonly clock?: HostClock }): Promise<Host>;
  /** Stops every host and removes every file; throws when a process is left. */
  strike(): Promise<void>;
}

export async function setStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "reasonix-referee-"));
  const hosts: Host[] = [];
  const notices: Notice[] = [];
  const receipts: Receipt[] = [];
  const stage: Stage = {
    folder,
    notices,
    receipts,
    async boot(specs, { clock = systemHostClock } = {}) {
      const boot = await createHost({
        specs,
        permission,
        session: { sessionId: "session-1", workspaceRoot: folder },
        uiHost: "headless",
        environment: { PATH: process.env["PATH"] },
        clock,
        ports: {
          notice: (notice) => void notices.push(notice),
          receipt: (receipt) => void receipts.push(receipt),
          audit: () => {},
          askPerson: null,
          ui: null,
        },
      });
      if (boot.kind === "ready") hosts.push(boot.host);
      return boot;
    },
    async host(specs, options) {
      const boot = await stage.boot(specs, options);
      if (boot.kind === "ready") return boot.host;
      throw new Error(boot.failures.map(({ message }) => message).join("\n"));
    },
    async strike() {
      const pids = hosts.flatMap((host) => host.diagnostics().plugins.flatMap(({ pid }) => pid ?? []));
      await Promise.all(hosts.map((host) => host.stop()));
      await rm(folder, { recursive: true, force: true });
      const left = pids.filter(isAlive);
      if (left.length > 0) throw new Error(`processes ${left.join(", ")} outlived their host`);
    },
  };
  return stage;
}

export function impostor(
  name: string,
  args: readonly string[],
  overrides: Partial<SidecarSpec> & { readonly plugin?: string } = {},
): SidecarSpec {
  const { plugin = name } = overrides;
  return {
    plugin,
    version: "1.0.0",
    source: `/impostors/${plugin}`,
    root: tmpdir(),
    command: process.execPath,
    args: [impostorPath(name), ...args],
    env: { REASONIX_PLUGIN_NAME: plugin },
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
  };
}

/** Rules once on the live generation. */
export async function ruleOnce<P extends PointName>(
  host: Host,
  point: P,
  payload: Payloads[P],
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<ReturnType<Host["lease"]>["rule"]>>> {
  const lease = host.lease();
  try {
    return await lease.rule(point, payload, signal === undefined ? {} : { signal });
  } finally {
    lease.release();
  }
}

/** The system's clock, so many times as fast. */
export function fastClock(times: number): HostClock {
  return {
    now: () => systemHostClock.now() * times,
    wall: () => systemHostClock.wall(),
    after: (millis, run) => systemHostClock.after(millis / times, run),
  };
}

/** Waits until the condition holds; fails after 20 s. */
export async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`never became true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
