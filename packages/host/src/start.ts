/** Starts one sidecar: process, connection, handshake. What fails leaves no process behind. */
import {
  commandLine,
  diagnoseStart,
  inspectCommand,
  StartError,
  startProcess,
  tailOf,
  type StartFacts,
} from "@reasonix-ts/process";
import { BOUNDS, DEADLINES, LIMITS, type UiHost } from "@reasonix-ts/protocol";
import { CallAborted, CallTimeout, ConnectionClosed, RpcError, type Deadline, type Envelope } from "@reasonix-ts/rpc";
import { connectStdio } from "@reasonix-ts/rpc/node";
import { stripControls } from "@reasonix-ts/text";
import type { HostClock } from "./clock.ts";
import { stderrSentence } from "./death.ts";
import { debugOf, type DebugSink } from "./debug-lines.ts";
import { HostError } from "./errors.ts";
import { initializeParams, judgeInitializeResult, type HostSession } from "./handshake.ts";
import { describeProblem, type InboundTable } from "./inbound.ts";
import type { Notice } from "./ports.ts";
import { Sidecar } from "./sidecar.ts";
import { programFile, type SidecarSpec } from "./spec.ts";
import { stderrLines } from "./stderr-lines.ts";
import { traceOption, type TraceSink } from "./trace.ts";

/** What all sidecars of a generation share. */
export interface StartContext {
  readonly session: HostSession;
  readonly generation: number;
  /** Carried by every process of the generation. */
  readonly marker: string;
  readonly uiHost: UiHost;
  /** Inherited by every sidecar as it is. */
  readonly environment: { readonly [name: string]: string | undefined };
  readonly inbound: readonly InboundTable[];
  readonly redact: (text: string) => string;
  readonly clock: HostClock;
  readonly notice: (notice: Notice) => void;
  /** Hears every frame; null when nothing is traced. */
  readonly trace: TraceSink | null;
  /** Hears what was ignored; null when nobody looks. */
  readonly debug: DebugSink | null;
}

/** Sizes and times of the contract, for the connection. */
const PIPE = {
  frameLimit: LIMITS.frameBytes,
  observations: {
    frames: BOUNDS.observationFrames,
    bytes: BOUNDS.observationBytes,
    batchBytes: BOUNDS.observationInPipeBytes,
  },
  stallMillis: DEADLINES.writeStall,
} as const;

/** Resolves with a ready sidecar; rejects with a HostError that says why not, once its processes are gone. */
export async function startSidecar(
  spec: SidecarSpec,
  context: StartContext,
  options: { readonly deadline: Deadline; readonly signal: AbortSignal },
): Promise<Sidecar> {
  const sidecar = await open(spec, context);
  try {
    const params = initializeParams(spec, context.session, context.generation, context.uiHost);
    const result = await sidecar.peer.request("extension/initialize", params, options);
    const { declaration, grant } = judgeInitializeResult(spec, result);
    sidecar.peer.notify("extension/initialized", {});
    sidecar.ready(declaration, grant);
    return sidecar;
  } catch (error) {
    const death = await sidecar.kill({ kind: "closed", message: "its start was given up" });
    if (error instanceof HostError) throw error;
    if (!(error instanceof ConnectionClosed)) throw refusedStart(spec, error, { ...options, redact: context.redact });
    if (death.reason !== "internal" || death.exit === null)
      throw new HostError(death.reason, spec.plugin, death.message, { cause: error });
    const stderr = stderrSentence(context.redact(death.stderr));
    throw await diagnosed(spec, context, { type: "exited", exit: death.exit }, stderr, error);
  }
}

async function open(spec: SidecarSpec, context: StartContext): Promise<Sidecar> {
  const { clock, redact, notice, generation } = context;
  const process = await launch(spec, context);
  const debug = debugOf(spec.plugin, context);
  const follow = debug === null ? {} : { onData: stderrLines((line) => debug(`stderr: ${line}`)) };
  const stderr = tailOf(process.stderr, { maxBytes: BOUNDS.stderrTailBytes, ...follow });
  const reloads = context.uiHost !== "headless";
  const parts = { spec, generation, process, stderr, clock, redact, notice, reloads };
  const opened = new Sidecar(parts, (sidecar) => {
    const peer = connectStdio(
      { input: process.stdout, output: process.stdin },
      {
        clock,
        redact,
        ...PIPE,
        acceptUnaddressedErrors: true,
        describeError: describeProblem,
        ...traceOption(spec, context),
        ...(debug === null ? {} : { debug }),
        inspect: (message) => barrier(sidecar, message),
        saturated: ({ queuedFrames }) => {
          const text = `Plugin "${spec.plugin}" reads too slowly: ${queuedFrames} observations wait, newer ones are dropped until it catches up.`;
          notice({ severity: "warn", code: "observation_dropped", plugin: spec.plugin, text });
        },
        stalled: ({ millis }) => {
          // A running intercept has a deadline of its own, which says more.
          if (sidecar.interceptClock.running > 0) return;
          peer.close({ kind: "broken", message: `it took no input for ${millis} ms while a request waited` });
        },
      },
    );
    return peer;
  });
  for (const register of context.inbound) register(opened);
  return opened;
}

async function launch(spec: SidecarSpec, context: StartContext) {
  try {
    return await startProcess({
      command: spec.command,
      args: spec.args,
      cwd: context.session.workspaceRoot,
      env: { ...context.environment, ...spec.env },
      marker: context.marker,
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw await diagnosed(spec, context, { type: "refused", errno: error.errno }, "", error);
  }
}

/** Until `initialized` is written a sidecar may answer, and nothing else. */
function barrier(sidecar: Sidecar, message: Envelope): string | undefined {
  if (sidecar.state.kind !== "starting") return undefined;
  switch (message.kind) {
    case "request":
    case "notification":
    case "invalid_params":
      return `${JSON.stringify(message.method.slice(0, 80))} before extension/initialized`;
    default:
      return undefined;
  }
}

async function diagnosed(
  spec: SidecarSpec,
  context: StartContext,
  failure: StartFacts["failure"],
  stderr: string,
  cause: unknown,
): Promise<HostError> {
  const env = { ...context.environment, ...spec.env };
  const command = await inspectCommand({ command: spec.command, cwd: context.session.workspaceRoot, env });
  const { platform, arch } = process;
  const { args } = spec;
  const { message, next } = diagnoseStart({
    command,
    args,
    ...(programFile(spec) === spec.command ? {} : { script: programFile(spec) }),
    failure,
    platform,
    arch,
  });
  // Arguments may hold a secret.
  const text = `Plugin "${spec.plugin}" did not start. ${message}${stderr} ${context.redact(next)}`;
  return new HostError("activation_failed", spec.plugin, text, { cause });
}

function refusedStart(
  spec: SidecarSpec,
  error: unknown,
  { signal, redact }: { readonly signal: AbortSignal; readonly redact: (text: string) => string },
): HostError {
  const name = `Plugin "${spec.plugin}"`;
  if (error instanceof RpcError) {
    const text = `${name} answered extension/initialize with an error (code ${error.code}): ${stripControls(error.message)}`;
    return new HostError("activation_failed", spec.plugin, text, { cause: error });
  }
  if (error instanceof CallTimeout) {
    const text = `${name} did not start: ${programFile(spec)} did not answer extension/initialize within the ${error.timeoutMillis} ms that all starts of a generation share. Look for work that it does before it reads stdin, and run it by hand: ${redact(commandLine(spec.command, spec.args))}`;
    return new HostError("activation_failed", spec.plugin, text, { cause: error });
  }
  if (error instanceof CallAborted && signal.reason instanceof HostError) return signal.reason;
  const text = `${name} did not start: ${error instanceof Error ? error.message : String(error)}`;
  return new HostError("activation_failed", spec.plugin, text, { cause: error });
}
