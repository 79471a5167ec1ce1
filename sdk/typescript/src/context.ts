/** What a handler is given beside its payload. */
import type { FrameMeta, PointName, UiHost } from "@reasonix-ts/protocol";
import type { HostCall } from "./host-call.ts";
import type { Log } from "./log.ts";
import type { Ui } from "./ui.ts";

/** The session of the handshake. It is the same for the life of the process; a reload starts a new process. */
export interface Session {
  readonly sessionId: string;
  /** Absolute path of the folder in which the person works. */
  readonly workspaceRoot: string;
  /** Grows with every reload. */
  readonly generation: number;
  readonly epoch?: string;
  /** Where surfaces are shown; `headless` means that nobody can answer a question. */
  readonly uiHost: UiHost;
}

export interface Context {
  readonly session: Session;
  /** Fires when the work is no longer wanted: the budget is used up, the stream is cancelled, the host is gone. */
  readonly signal: AbortSignal;
  /** Writes a line to stderr, which the host keeps for error texts. */
  readonly log: Log;
  readonly ui: Ui;
  /** Asks the host for anything else that it offers, such as the tabs of its browser. */
  readonly callHost: HostCall;
}

export interface ObserveContext extends Context {
  readonly point: PointName;
  /** Which tool call, agent and stored session this is about, as far as the host says. */
  readonly meta: FrameMeta;
}

export interface InterceptContext extends ObserveContext {
  /** Counts the intercepts that this host sent to this process, from 1. */
  readonly seq: number;
  /**
   * Milliseconds until the host gives up waiting; `Infinity` where it named no budget. Stands still while a
   * person answers a question asked through `ui`.
   */
  readonly remainingMillis: () => number;
}

export interface ToolContext extends Context {
  readonly name: string;
  readonly meta: FrameMeta;
  /** Milliseconds until the host gives up waiting. */
  readonly remainingMillis: () => number;
}

export interface ActionContext extends Context {
  readonly meta: FrameMeta;
  /** Milliseconds until the host gives up waiting; it waits 30 s for an action or a form. */
  readonly remainingMillis: () => number;
}

export interface StreamContext extends Context {
  readonly streamId: string;
  /** The full reference, `plugin/<plugin>/<provider>/<model>`. */
  readonly ref: string;
  /** The effort that the person chose, one of the descriptor's `efforts`. */
  readonly effort?: string;
  /** The model's name as the host sends it, where it does. */
  readonly model?: string;
}
