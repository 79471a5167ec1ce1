/** Write an extension: say what it does with `defineExtension`, run it with `serve`. */
import "./early-guard.ts";

export { allow, block, deny, next, replace } from "./decisions.ts";
export type { Allow, Block, Continue, Deny, Replace, Ruling } from "./decisions.ts";
export { defineExtension, type Extension } from "./define.ts";
export { serve } from "./serve.ts";
export { stateFile, type StateFile, type StateFileOptions } from "./state.ts";
export {
  ProviderInterrupted,
  type Provider,
  type ProviderChunk,
  type Providers,
  type StreamFunction,
  type StreamPart,
} from "./provider.ts";
export type {
  ActionContext,
  Context,
  InterceptContext,
  ObserveContext,
  Session,
  StreamContext,
  ToolContext,
} from "./context.ts";
export type {
  Action,
  ActionArguments,
  ActionHandler,
  InterceptHandler,
  InterceptHandlers,
  ObserveHandler,
  ObserveHandlers,
  ReplaceHandlers,
  SlotHandlers,
  SubmitHandler,
  ToolAnswer,
  ToolArguments,
  ToolHandler,
} from "./handlers.ts";
export type { AskOptions, Choice, FormValues, Question, Ui } from "./ui.ts";
export type { HostCall, HostCallOptions, HostMethod } from "./host-call.ts";
export type { Log } from "./log.ts";
export type {
  CardPayload,
  FormField,
  FormPayload,
  FrameMeta,
  Message,
  NotificationPayload,
  Payloads,
  PointName,
  ProviderDescriptor,
  ProviderRequest,
  StatusPayload,
  ToolCall,
  ToolSchema,
  UiHost,
  Usage,
} from "@reasonix-ts/protocol";
