/** What the host is given to run: one description a plugin, made by whoever keeps the plugins. */
import {
  BOUNDS,
  DEADLINES,
  POINTS,
  type Capability,
  type CapabilityWire,
  type PointName,
  type RequirementWire,
  type SlotName,
} from "@reasonix-ts/protocol";

/** A tool as the manifest declares it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: object;
  readonly readOnly: boolean;
}

/** A plugin's runtime, ready to start. */
export interface SidecarSpec {
  /** The plugin's name, which is its id. */
  readonly plugin: string;
  readonly version: string;
  /** Where it was installed from, for messages. */
  readonly source: string;
  /** Absolute. */
  readonly root: string;
  /** Absolute path of the executable. */
  readonly command: string;
  readonly args: readonly string[];
  /** Additions to the inherited environment. */
  readonly env: { readonly [name: string]: string };
  /** Whether the session cannot do without it. */
  readonly required: boolean;
  /** -1000..1000; lower is asked first. */
  readonly priority: number;
  /** 0 for the defaults of the points' families; otherwise the budget of every point, clamped to 60,000. */
  readonly timeoutMillis: number;
  readonly intercepts: readonly PointName[];
  readonly replaces: readonly SlotName[];
  /** Implied ones included. */
  readonly capabilities: readonly Capability[];
  readonly tools: readonly ToolSpec[];
  readonly requires: readonly RequirementWire[];
  readonly provides: readonly CapabilityWire[];
}

/** A plugin whose runtime cannot even be described: its manifest is broken or its command is missing. */
export interface BrokenSpec {
  readonly plugin: string;
  readonly version: string;
  readonly source: string;
  readonly required: boolean;
  readonly replaces: readonly SlotName[];
  /** One sentence on what is wrong. */
  readonly problem: string;
}

/**
 * The file of the plugin that runs, for texts: the script, where the command is the Node that runs the host and was
 * only put in front of it; else the command.
 */
export function programFile({ command, args }: Pick<SidecarSpec, "command" | "args">): string {
  const [first = ""] = args;
  return command === process.execPath && /\.[cm]?js$/i.test(first) ? first : command;
}

/** How long an intercept of this runtime may take at a point, in milliseconds. */
export function interceptBudget(spec: Pick<SidecarSpec, "timeoutMillis">, point: PointName): number {
  if (spec.timeoutMillis > 0) return Math.min(spec.timeoutMillis, DEADLINES.interceptCeiling);
  return POINTS[point].family === "fast" ? DEADLINES.interceptFast : DEADLINES.interceptSlow;
}

/** The order of a chain: priority, then plugin id by code unit, then the order in which the host was given them. */
export function compareSeats(
  left: { readonly priority: number; readonly plugin: string; readonly order: number },
  right: { readonly priority: number; readonly plugin: string; readonly order: number },
): number {
  if (left.priority !== right.priority) return left.priority - right.priority;
  if (left.plugin !== right.plugin) return left.plugin < right.plugin ? -1 : 1;
  return left.order - right.order;
}

/** A priority within its bounds. */
export function clampPriority(priority: number): number {
  return Math.min(BOUNDS.priorityMax, Math.max(BOUNDS.priorityMin, priority));
}
