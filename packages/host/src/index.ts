/** An embeddable host that runs extensions of the Reasonix Extension Protocol v2. */
export { systemHostClock, type HostClock } from "./clock.ts";
export type { Diagnostics, PluginDiagnostics } from "./diagnostics.ts";
export type { BenchedSeat } from "./dispatch/bench.ts";
export type { PermissionRuling, Ruling, Scope } from "./dispatch/ruling.ts";
export { HostError } from "./errors.ts";
export type { Lineup } from "./generation/start-all.ts";
export type { BuildFailure } from "./generation/failure.ts";
export type { Lease } from "./generation/lease.ts";
export type { ReloadedPlugin, ReloadResult } from "./generation/reload.ts";
export type { HostSession } from "./handshake.ts";
export { createHost, type Boot, type Host, type HostOptions } from "./host.ts";
export type {
  ArgumentsJudge,
  AuditEntry,
  GuardQuestion,
  HostPorts,
  MemberChange,
  Notice,
  Receipt,
  SurfaceAnswer,
  SurfaceQuestion,
  UiPort,
} from "./ports.ts";
export type { PrefixChange } from "./prefix.ts";
export type { CatalogueProblem } from "./providers/catalogue.ts";
export { StreamFailure, type StreamFailureKind } from "./providers/failure.ts";
export type { FaultKind, LastFailure, PointStats } from "./stats.ts";
export type { Surface } from "./surfaces/surface.ts";
export type { ExtensionTool } from "./tools.ts";
export type { UiAction, UiCallResult } from "./ui-calls.ts";
export type { BrokenSpec, SidecarSpec, ToolSpec } from "./spec.ts";
export { mintStartPermission, type StartPermission } from "./trust.ts";
