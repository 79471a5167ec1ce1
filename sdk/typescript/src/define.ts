/** An extension as one value. What it declares to the host is read off its handlers, so that it cannot lie. */
import { isPointName, parseSlot, POINT_NAMES, POINTS } from "@reasonix-ts/protocol";
import type { Context } from "./context.ts";
import type {
  Action,
  InterceptHandlers,
  ObserveHandlers,
  ReplaceHandlers,
  ResourcesHandler,
  SubmitHandler,
  ToolHandler,
} from "./handlers.ts";
import { mistake } from "./mistake.ts";
import type { Providers } from "./provider.ts";

export interface Extension {
  /** Shown in diagnostics; by habit the plugin's name. */
  readonly name: string;
  readonly version: string;
  /** Version of the state that this extension keeps with a session; 0 if it keeps none. */
  readonly stateSchemaVersion?: number;
  /** Handlers that rule on an operation; the manifest lists the same points in `runtime.intercepts`. */
  readonly intercept?: InterceptHandlers;
  /** Handlers that watch; the manifest lists these points in `runtime.intercepts` too. */
  readonly observe?: ObserveHandlers;
  /** Slots whose only owner this extension is; the manifest lists them in `runtime.replaces`. */
  readonly replace?: ReplaceHandlers;
  /** Models; the manifest claims the capability `providers`. */
  readonly providers?: Providers;
  /** Tools that the manifest describes in `runtime.tools`; the manifest claims the capability `tools`. */
  readonly tools?: { readonly [name: string]: ToolHandler };
  /** Actions and forms; the manifest claims the capability `ui`. */
  readonly ui?: {
    /** Action id → what `/<plugin>:<action>` does. */
    readonly actions?: { readonly [actionId: string]: Action };
    /** Surface id of a form → what a submission does. */
    readonly submits?: { readonly [surfaceId: string]: SubmitHandler };
  };
  /**
   * Runs once the host has opened the connection. No other handler runs before it has ended; if it throws, what waits
   * for it is answered with that error and the sidecar ends with exit code 1. Surfaces are best published from here on.
   */
  readonly onStart?: (context: Context) => void | Promise<void>;
  /** Runs when the host says goodbye or is gone, in what is left of its time (at most 5 s, mostly less). */
  readonly onShutdown?: (context: Context) => void | Promise<void>;
  readonly onResourcesChanged?: ResourcesHandler;
}

/**
 * Checks an extension where it is written and gives it back.
 * Throws a TypeError that names every unknown point or slot, and a point that two handlers claim.
 */
export function defineExtension(extension: Extension): Extension {
  demandSound("defineExtension", extension);
  return extension;
}

/** Throws what `by` has to say of an extension that cannot be served. */
export function demandSound(by: string, extension: Extension): void {
  // Extensions in plain JavaScript have no compiler to warn them.
  const given: unknown = extension;
  if (typeof given !== "object" || given === null) {
    const came = given === null ? "null" : typeof given;
    throw mistake("extension", `${by}: ${came} came, wanted an extension: { name, version, intercept, … }`);
  }
  const faults = [
    ...nameFaults(extension),
    ...pointFaults("intercept", extension.intercept),
    ...pointFaults("observe", extension.observe),
    ...slotFaults(extension),
    ...toolFaults(extension),
    ...onlyFunctions({ onStart: extension.onStart, onShutdown: extension.onShutdown }),
  ];
  if (faults.length > 0) throw mistake(String(extension.name), `${by}: ${faults.join("; ")}`);
}

function nameFaults({ name, version, stateSchemaVersion = 0 }: Extension): string[] {
  const faults: string[] = [];
  if (!isText(name)) faults.push("name is empty, wanted the plugin's name");
  if (!isText(version)) faults.push("version is empty, wanted something like 0.1.0");
  if (!Number.isInteger(stateSchemaVersion) || stateSchemaVersion < 0)
    faults.push(`stateSchemaVersion is ${stateSchemaVersion}, wanted an integer of at least 0`);
  return faults;
}

function pointFaults(member: string, handlers: object | undefined): string[] {
  return Object.entries(handlers ?? {}).flatMap(([point, handler]) => {
    if (!isPointName(point)) return [`${member}["${point}"] is no hook point; there are ${POINT_NAMES.join(", ")}`];
    return isHandler(handler) ? [] : [`${member}["${point}"] is no function`];
  });
}

function slotFaults({ intercept = {}, replace = {} }: Extension): string[] {
  return Object.entries(replace).flatMap(([name, handlers]) => {
    const slot = parseSlot(name);
    if (slot === null) return [`replace["${name}"] is no slot`];
    return Object.entries(handlers ?? {}).flatMap(([point, handler]) => {
      const at = `replace["${name}"]["${point}"]`;
      const slots: readonly string[] = isPointName(point) ? POINTS[point].slots : [];
      if (!slots.includes(slot.kind)) return [`${at}: the slot ${slot.kind} has no word at that point`];
      if (!isHandler(handler)) return [`${at} is no function`];
      // A host calls interceptors and owners in the same way: one process cannot tell one call from the other.
      if (slot.kind !== "tool" && point in intercept)
        return [`${at} and intercept["${point}"] claim the same calls; keep the owner's`];
      return [];
    });
  });
}

function toolFaults({ tools = {} }: Extension): string[] {
  return Object.entries(tools).flatMap(([name, handler]) =>
    isHandler(handler)
      ? []
      : [`tools["${name}"] is no function; its schema belongs into runtime.tools of the manifest`],
  );
}

function onlyFunctions(members: { readonly [name: string]: unknown }): string[] {
  return Object.entries(members).flatMap(([name, member]) => (isHandler(member) ? [] : [`${name} is no function`]));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isHandler(handler: unknown): boolean {
  return handler === undefined || typeof handler === "function";
}
