/** The shapes of what authors write: handlers of points, slots, tools, actions and forms. */
import type { NamedSlot, Payloads, PlainSlot, PointName, POINTS, SlotKind } from "@reasonix-ts/protocol";
import type { ActionContext, Context, InterceptContext, ObserveContext, ToolContext } from "./context.ts";
import type { Ruling } from "./decisions.ts";
import type { FormValues } from "./ui.ts";

export type Awaitable<T> = T | Promise<T>;

/** Rules on an operation that waits for the answer. A thrown error becomes an error reply with its message. */
export type InterceptHandler<P extends PointName> = (
  payload: Payloads[P],
  context: InterceptContext,
) => Awaitable<Ruling<P>>;

export type InterceptHandlers = { readonly [P in PointName]?: InterceptHandler<P> };

/** Sees what happened; nothing waits for it. A thrown error goes to the log. */
export type ObserveHandler<P extends PointName> = (
  payload: Payloads[P],
  context: ObserveContext,
) => void | Promise<void>;

export type ObserveHandlers = { readonly [P in PointName]?: ObserveHandler<P> };

/** The points at which the owner of a slot has the last word. */
type PointsOfSlot<K extends SlotKind> = {
  [P in PointName]: K extends (typeof POINTS)[P]["slots"][number] ? P : never;
}[PointName];

export type SlotHandlers<K extends SlotKind> = { readonly [P in PointsOfSlot<K>]?: InterceptHandler<P> };

/** Slots that this extension owns: `compaction`, `tool:bash`, `provider:plugin/acme/chat/large`. */
export type ReplaceHandlers = { readonly [K in PlainSlot]?: SlotHandlers<K> } & {
  readonly [name in `${NamedSlot}:${string}`]?: name extends `tool:${string}`
    ? SlotHandlers<"tool">
    : SlotHandlers<"provider">;
};

export type ToolArguments = { readonly [name: string]: unknown };

/** A tool's answer: text for the model, or text that is marked as an error. */
export type ToolAnswer = string | { readonly content: string; readonly isError?: boolean };

/**
 * Serves one tool. The host has checked the arguments against the manifest's schema, their types still need a look.
 * A thrown error is told to the model as an error result.
 */
export type ToolHandler = (args: ToolArguments, context: ToolContext) => Awaitable<ToolAnswer>;

export type ActionArguments = { readonly [name: string]: string };

/** Runs when a person invokes `/<plugin>:<action>`; a text that comes back is shown, not sent to the model. */
export type ActionHandler = (args: ActionArguments, context: ActionContext) => Awaitable<string | void>;

export interface Action {
  /** What menus and palettes show. */
  readonly label?: string;
  readonly run: ActionHandler;
}

/** Takes what a person submitted in a form; `false` refuses it. */
export type SubmitHandler = (values: FormValues, context: ActionContext) => Awaitable<boolean | void>;

/** Called with paths of contributed resources that changed on disk. */
export type ResourcesHandler = (paths: readonly string[], context: Context) => void | Promise<void>;
