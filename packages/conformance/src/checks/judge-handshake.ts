/** Judges the answer to extension/initialize as a host does (pure). */
import {
  decode,
  InitializeEnvelope,
  judgeVersion,
  parsePluginRef,
  PROTOCOL_VERSION,
  problemsText,
  type InitializeResult,
} from "@reasonix-ts/protocol";
import { Finding, show } from "../finding.ts";
import type { Expectation } from "../play/expectation.ts";
import type { Answer } from "../play/answers.ts";

/** Throws a Finding with every problem of the shape. */
export function judgeDeclaration(answer: Answer): InitializeResult {
  const { sent } = answer;
  const base = { sent: show(sent) };
  if (answer.kind === "error") {
    const got = `error ${answer.code}: ${answer.message}`;
    throw new Finding({
      what: "the handshake was answered with an error",
      wanted: "an InitializeResult",
      got,
      ...base,
    });
  }
  const got = show(answer.result);
  const decoded = decode(InitializeEnvelope, structuredClone(answer.result));
  if (!decoded.ok) {
    const what = problemsText("initialize result", decoded.problems);
    throw new Finding({ what, wanted: "exactly the fields of InitializeResult", got, ...base });
  }
  const { protocolVersion, ...rest } = decoded.value;
  const version = judgeVersion(protocolVersion);
  if (!version.ok)
    throw new Finding({
      what: version.text,
      wanted: `"protocolVersion": ${JSON.stringify(PROTOCOL_VERSION)}`,
      got,
      ...base,
    });
  return { ...rest, protocolVersion: PROTOCOL_VERSION };
}

/** The first thing that is declared beyond the manifest, as a Finding; null when all of it is allowed. */
export function judgeExtent(declaration: InitializeResult, expectation: Expectation): Finding | null {
  const { plugin, intercepts, replaces, capabilities, tools } = expectation;
  if (plugin === null) return null;
  const points: readonly string[] = intercepts;
  const toolNames = tools.map(({ name }) => name);
  const excess =
    beyond("the subscription", declaration.subscriptions, points, "runtime.intercepts") ??
    beyond("the slot", declaration.replaces, replaces, "runtime.replaces") ??
    beyond("the tool", declaration.tools, toolNames, "runtime.tools") ??
    lacking("providers", declaration.providers, capabilities) ??
    lacking("ui", declaration.uiActions, capabilities);
  if (excess !== null) return excess;
  const foreign = declaration.providers?.find(({ ref }) => parsePluginRef(ref)?.plugin !== plugin);
  if (foreign === undefined) return null;
  return new Finding({ what: `the provider "${foreign.ref}" is not its own`, wanted: `a ref below plugin/${plugin}/` });
}

function beyond(
  what: string,
  declared: readonly string[] | undefined,
  allowed: readonly string[],
  key: string,
): Finding | null {
  const name = declared?.find((one) => !allowed.includes(one));
  if (name === undefined) return null;
  return new Finding({
    what: `${what} "${name}" is declared, and the manifest does not name it (capability_not_declared)`,
    wanted: `add "${name}" to ${key} of reasonix-plugin.json, or do not declare it`,
  });
}

function lacking(
  capability: string,
  declared: readonly unknown[] | undefined,
  capabilities: readonly string[],
): Finding | null {
  if (declared === undefined || declared.length === 0 || capabilities.includes(capability)) return null;
  return new Finding({
    what: `${capability} are declared without the capability (capability_not_declared)`,
    wanted: `"${capability}" in runtime.capabilities of reasonix-plugin.json`,
  });
}
