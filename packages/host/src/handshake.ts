/** The first frames, judged (pure): what the host tells a sidecar of itself, and whether its declaration will do. */
import {
  decode,
  describe,
  InitializeEnvelope,
  problemsText,
  PROTOCOL_ID,
  PROTOCOL_VERSION,
  type InitializeParams,
  type InitializeResult,
  type UiHost,
} from "@reasonix-ts/protocol";
import { judgeDeclaration, type Grant } from "./capabilities.ts";
import { HostError } from "./errors.ts";
import type { SidecarSpec } from "./spec.ts";

/** The session as sidecars know it: one id for the life of the host. */
export interface HostSession {
  readonly sessionId: string;
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Stamps what belongs to this run of the host; the host sets it. */
  readonly epoch?: string;
}

export function initializeParams(
  spec: SidecarSpec,
  session: HostSession,
  generation: number,
  uiHost: UiHost,
): InitializeParams {
  return {
    protocolId: PROTOCOL_ID,
    protocolVersion: PROTOCOL_VERSION,
    manifest: {
      ...someOf("intercepts", spec.intercepts),
      ...someOf("replaces", spec.replaces),
      ...someOf("capabilities", spec.capabilities),
      ...someOf(
        "tools",
        spec.tools.map((tool) => tool.name),
      ),
      ...someOf("requires", spec.requires),
      ...someOf("provides", spec.provides),
    },
    session: {
      sessionId: session.sessionId,
      workspaceRoot: session.workspaceRoot,
      generation,
      ...(session.epoch === undefined ? {} : { epoch: session.epoch }),
    },
    capabilities: { contentRefs: true, protocolVersion: PROTOCOL_VERSION, uiHost },
  };
}

/** Gives the declaration and what it grants, or throws the HostError that says what to mend. */
export function judgeInitializeResult(
  spec: SidecarSpec,
  result: unknown,
): { readonly declaration: InitializeResult; readonly grant: Grant } {
  const decoded = decode(InitializeEnvelope, result);
  if (!decoded.ok)
    throw refused(spec, "protocol_error", problemsText("initialize result", decoded.problems), MEND_DECLARATION);
  const { protocolVersion, ...rest } = decoded.value;
  judgeVersion(spec, protocolVersion);
  const declaration: InitializeResult = { ...rest, protocolVersion: PROTOCOL_VERSION };
  const judgement = judgeDeclaration(spec, declaration);
  if (!judgement.ok) {
    throw refused(
      spec,
      "capability_not_declared",
      `it declared the ${judgement.item}, which its manifest does not name`,
      `Add it to ${judgement.manifestKey} in reasonix-plugin.json and install the plugin again, or do not declare it.`,
    );
  }
  return { declaration, grant: judgement.grant };
}

function judgeVersion(spec: SidecarSpec, received: unknown): void {
  if (received === PROTOCOL_VERSION) return;
  if (received === undefined) {
    const missing = `initialize result: missing field "protocolVersion" at /protocolVersion (wanted "${PROTOCOL_VERSION}")`;
    throw refused(spec, "protocol_error", missing, MEND_DECLARATION);
  }
  const isVersion = typeof received === "string" && /^v?\d+(\.\d+)*$/.test(received);
  const shown = `its protocolVersion is ${describe(received)}, and this host speaks "${PROTOCOL_VERSION}"`;
  if (isVersion)
    throw refused(spec, "unsupported_version", shown, `Answer with protocolVersion "${PROTOCOL_VERSION}".`);
  throw refused(
    spec,
    "protocol_error",
    `${shown}; what came is no version`,
    `Answer with protocolVersion "${PROTOCOL_VERSION}", a string.`,
  );
}

const MEND_DECLARATION = "Send exactly the fields of InitializeResult.";

function refused(
  spec: SidecarSpec,
  reason: "protocol_error" | "unsupported_version" | "capability_not_declared",
  what: string,
  next: string,
): HostError {
  return new HostError(reason, spec.plugin, `Plugin "${spec.plugin}" was refused at its handshake: ${what}. ${next}`);
}

function someOf<const K extends string, T>(key: K, values: readonly T[]): { readonly [P in K]?: readonly T[] } {
  // A computed key of a union type is widened by the compiler; K is one literal at every call.
  return (values.length === 0 ? {} : { [key]: values }) as { readonly [P in K]?: readonly T[] };
}
