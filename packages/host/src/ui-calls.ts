/** What people send to extensions: an action that they run, a form that they submit. */
import { decode, DEADLINES, problemsText, reasonOf, UIActionResult, UISubmitResult } from "@reasonix-ts/protocol";
import type { Reason, Schema } from "@reasonix-ts/protocol";
import { CallTimeout, ConnectionClosed, FrameTooLarge, RpcError } from "@reasonix-ts/rpc";
import { formatMillis, oneLine } from "@reasonix-ts/text";
import type { Seat } from "./generation/seat.ts";
import type { Sidecar } from "./sidecar.ts";
import { judgeValues } from "./surfaces/form.ts";
import { cleanerOf, isPlainId } from "./surfaces/text.ts";
import type { UiHub } from "./ui-hub.ts";

/** An action that a person can run as `/<plugin>:<action>`. */
export interface UiAction {
  readonly plugin: string;
  readonly actionId: string;
  readonly label: string;
}

export type UiCallResult =
  /** `message` is for the person, not for a model; cleaned and redacted. */
  | { readonly kind: "answered"; readonly accepted: boolean; readonly message: string | null }
  | { readonly kind: "failed"; readonly plugin: string; readonly reason: Reason; readonly message: string };

export interface UiCallParts {
  readonly seats: readonly Seat[];
  readonly hub: UiHub;
  readonly sessionId: string;
  readonly redact: (text: string) => string;
}

interface UiCallOptions {
  readonly signal?: AbortSignal;
}

/** Declared at the handshakes; ids that cannot be typed as a command are left out. */
export function actionsOf(seats: readonly Seat[], redact: (text: string) => string): readonly UiAction[] {
  const clean = cleanerOf(redact);
  return seats.flatMap(({ plugin, sidecar }) =>
    (sidecar?.grant.uiActions ?? [])
      .filter(({ actionId }) => isPlainId(actionId) && !/\s/.test(actionId))
      .map(({ actionId, label = "" }) => ({ plugin, actionId, label: clean.line(label) || actionId })),
  );
}

/** Answered within 30 s. Rejects only with the signal's reason. */
export async function runAction(
  { seats, sessionId, redact }: UiCallParts,
  plugin: string,
  actionId: string,
  args: { readonly [name: string]: string },
  options: UiCallOptions,
): Promise<UiCallResult> {
  const sidecar = seats.find((seat) => seat.plugin === plugin)?.sidecar ?? null;
  if (sidecar === null || !sidecar.grant.uiActions.some((action) => action.actionId === actionId)) {
    const message = `Plugin "${plugin}" has no action "${oneLine(actionId)}".`;
    return { kind: "failed", plugin, reason: "capability_not_declared", message };
  }
  const params = { actionId, sessionId, generation: sidecar.generation, args };
  const answer = await call(
    sidecar,
    { method: "extension/ui/action", told: `/${plugin}:${actionId}` },
    params,
    UIActionResult,
    redact,
    options,
  );
  if (answer.kind === "failed") return answer;
  const { accepted, message } = answer.value;
  return { kind: "answered", accepted, message: message === undefined ? null : cleanerOf(redact).text(message) };
}

/** Values are judged by the form that is shown, and turned into the extension's own options. */
export async function submitForm(
  { seats, hub, sessionId, redact }: UiCallParts,
  plugin: string,
  surfaceId: string,
  values: { readonly [key: string]: unknown },
  options: UiCallOptions,
): Promise<UiCallResult> {
  const sidecar = seats.find((seat) => seat.plugin === plugin)?.sidecar ?? null;
  const rules = hub.answersOf(plugin, surfaceId);
  if (sidecar === null || rules === null) {
    const message = `Plugin "${plugin}" shows no form "${oneLine(surfaceId)}" now.`;
    return { kind: "failed", plugin, reason: "stale_generation", message };
  }
  const judged = judgeValues(rules, values);
  if (!judged.ok) {
    const message = redact(`The form of plugin "${plugin}" was not sent: ${judged.problem}.`);
    return { kind: "failed", plugin, reason: "invalid_params", message };
  }
  const params = { surfaceId, sessionId, generation: sidecar.generation, values: judged.values };
  const answer = await call(
    sidecar,
    { method: "extension/ui/submit", told: `its form "${oneLine(surfaceId)}"` },
    params,
    UISubmitResult,
    redact,
    options,
  );
  return answer.kind === "failed" ? answer : { kind: "answered", accepted: answer.value.accepted, message: null };
}

type Called<T> = { readonly kind: "answered"; readonly value: T } | Extract<UiCallResult, { readonly kind: "failed" }>;

async function call<T>(
  sidecar: Sidecar,
  { method, told }: { readonly method: string; readonly told: string },
  params: { readonly [name: string]: unknown },
  schema: Schema<T>,
  redact: (text: string) => string,
  { signal }: UiCallOptions,
): Promise<Called<T>> {
  const { plugin } = sidecar.spec;
  const failed = (reason: Reason, why: string): Called<T> => {
    const message = redact(`Plugin "${plugin}": ${told} failed: ${why}`);
    return { kind: "failed", plugin, reason, message };
  };
  const timeoutMillis = DEADLINES.uiAction;
  try {
    const options = { timeoutMillis, ...(signal === undefined ? {} : { signal }) };
    const decoded = decode(schema, await sidecar.peer.request(method, params, options));
    if (decoded.ok) return { kind: "answered", value: decoded.value };
    return failed("protocol_error", `${problemsText("its answer", decoded.problems)}.`);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof RpcError) return failed(reasonOf(error.data) ?? "internal", oneLine(error.message));
    if (error instanceof CallTimeout) return failed("internal", `no answer within ${formatMillis(timeoutMillis)}.`);
    if (error instanceof ConnectionClosed) return failed("internal", (await sidecar.gone).message);
    if (error instanceof FrameTooLarge) return failed("frame_too_large", "what was to be sent is too large.");
    throw error;
  }
}
