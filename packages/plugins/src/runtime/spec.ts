/** The shape in which a runtime is handed to the host that starts it. */
import type { Capability, CapabilityWire, PointName, RequirementWire, SlotName } from "@reasonix-ts/protocol";
import type { ManifestTool } from "../manifest/shape.ts";

/** Everything that is needed to start the sidecar of an installed, enabled plugin. */
export interface SidecarSpec {
  readonly plugin: string;
  readonly version: string;
  /** Where it was installed from, for messages. */
  readonly source: string;
  /** Absolute. */
  readonly root: string;
  /** Absolute path of the executable. */
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment. */
  readonly env: { readonly [name: string]: string };
  readonly required: boolean;
  readonly priority: number;
  /** For both families of points; 0 stands for their defaults; at most 60,000. */
  readonly timeoutMillis: number;
  readonly intercepts: readonly PointName[];
  readonly replaces: readonly SlotName[];
  /** Implied ones included. */
  readonly capabilities: readonly Capability[];
  readonly tools: readonly ManifestTool[];
  readonly requires: readonly RequirementWire[];
  readonly provides: readonly CapabilityWire[];
}

/** An enabled runtime that cannot be described, so that its slots stay claimed and a required one stops the boot. */
export interface BrokenSpec {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly required: boolean;
  readonly replaces: readonly SlotName[];
  readonly problem: string;
}
