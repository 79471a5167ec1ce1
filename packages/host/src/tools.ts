/** Tools that extensions serve: which there are in a generation, and one call of one of them. */
import { decode, DEADLINES, problemsText, ToolCallResult } from "@reasonix-ts/protocol";
import { CallAborted, CallTimeout, ConnectionClosed, FrameTooLarge, RpcError } from "@reasonix-ts/rpc";
import { formatBytes, formatMillis, oneLine } from "@reasonix-ts/text";
import { HostError } from "./errors.ts";
import type { Seat } from "./generation/seat.ts";
import type { ArgumentsJudge } from "./ports.ts";
import type { Sidecar } from "./sidecar.ts";
import type { ToolSpec } from "./spec.ts";

/** A tool that an extension serves. */
export interface ExtensionTool {
  readonly plugin: string;
  /** The name in the manifest. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly readOnly: boolean;
  /** True when the plugin owns `tool:<name>`: it then serves that tool in the built-in's place. */
  readonly replacesBuiltIn: boolean;
}

/** Declared in the manifest and granted at the handshake, with the manifest's description and schema. */
export function toolsOf(seats: readonly Seat[]): readonly ExtensionTool[] {
  return seats.flatMap(({ plugin, sidecar, owns }) =>
    servedBy(sidecar).map(({ name, description, inputSchema, readOnly }) => ({
      plugin,
      name,
      description,
      inputSchema,
      readOnly,
      replacesBuiltIn: owns.has(`tool:${name}`),
    })),
  );
}

export interface ToolCallOptions {
  readonly signal?: AbortSignal;
  readonly callId?: string;
}

export interface ToolCallParts {
  readonly redact: (text: string) => string;
  /** Null when whoever calls has judged the arguments. */
  readonly judge: ArgumentsJudge | null;
}

/**
 * What the tool says is passed on as it is, an error of its own included. A call that cannot be made or gets no answer
 * is an error result that names the plugin. Rejects only with the signal's reason.
 */
export async function callTool(
  plugin: string,
  sidecar: Sidecar | null,
  name: string,
  args: { readonly [key: string]: unknown },
  options: ToolCallOptions,
  { redact, judge }: ToolCallParts,
): Promise<ToolCallResult> {
  const failed = (text: string): ToolCallResult => ({ content: redact(text), isError: true });
  const tool = servedBy(sidecar).find((one) => one.name === name);
  if (sidecar === null || tool === undefined) return failed(`Plugin "${plugin}" serves no tool "${name}".`);
  const problem = (await judge?.(tool.inputSchema, args)) ?? null;
  if (problem !== null)
    return failed(`The arguments of ${name} (plugin "${plugin}") were refused: ${oneLine(problem)}`);
  try {
    return await request(sidecar, name, args, options);
  } catch (error) {
    if (options.signal?.aborted === true) throw options.signal.reason;
    if (error instanceof ConnectionClosed) return failed(`The tool ${name} failed: ${(await sidecar.gone).message}`);
    return failed(`The tool ${name} of plugin "${plugin}" failed: ${whyFailed(error)}`);
  }
}

async function request(
  sidecar: Sidecar,
  name: string,
  args: { readonly [key: string]: unknown },
  { signal, callId }: ToolCallOptions,
): Promise<ToolCallResult> {
  const timeoutMillis = DEADLINES.toolCall;
  const result = await sidecar.peer.request(
    "extension/tool/call",
    { name, arguments: args, timeoutMillis },
    {
      timeoutMillis,
      ...(signal === undefined ? {} : { signal }),
      ...(callId === undefined ? {} : { meta: { callId } }),
    },
  );
  const decoded = decode(ToolCallResult, result);
  if (decoded.ok) return decoded.value;
  throw new HostError("protocol_error", sidecar.spec.plugin, problemsText("ToolCallResult", decoded.problems));
}

function servedBy(sidecar: Sidecar | null): readonly ToolSpec[] {
  return sidecar?.spec.tools.filter(({ name }) => sidecar.grant.tools.has(name)) ?? [];
}

function whyFailed(error: unknown): string {
  if (error instanceof RpcError) return `${oneLine(error.message)} (code ${error.code})`;
  if (error instanceof CallTimeout) return `no answer within ${formatMillis(error.timeoutMillis)}.`;
  if (error instanceof FrameTooLarge)
    return `its arguments have ${error.bytes} bytes (${formatBytes(error.bytes)}), more than a frame holds.`;
  if (error instanceof HostError) return `its answer was not understood: ${error.message}.`;
  if (error instanceof CallAborted) return "the call was given up.";
  throw error;
}
