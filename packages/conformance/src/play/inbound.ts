/** Judges what a sidecar sends of its own accord: calls and notifications to the host (pure). */
import {
  decode,
  isMethodName,
  METHODS,
  problemsText,
  SURFACE_PAYLOADS,
  FormPayload,
  UIPublishParams,
  UIRequestParams,
  type MethodRow,
  type Schema,
} from "@reasonix-ts/protocol";
import { isJsonObject, type Frame } from "../wire/frame.ts";

export interface Standing {
  /** Whether `extension/initialized` was sent. */
  readonly open: boolean;
  readonly sessionId: string;
  readonly generation: number;
  readonly capabilities: readonly string[];
}

export interface Fault {
  readonly what: string;
  readonly wanted: string;
}

type Call = Extract<Frame, { readonly kind: "request" | "notification" }>;

/** Null when a host would take it. A method that only newer hosts know is no fault: it is answered unknown_method. */
export function judgeCall(call: Call, standing: Standing): Fault | null {
  const { kind, method, params } = call;
  if (!standing.open)
    return {
      what: `${method} was sent before extension/initialized`,
      wanted: "nothing but the answer to extension/initialize before the barrier opens",
    };
  if (!isMethodName(method)) return null;
  const row: MethodRow = METHODS[method];
  if (row.direction === "host_to_extension")
    return { what: `${method} goes from host to extension`, wanted: "the other direction" };
  if ((row.result === null) !== (kind === "notification")) {
    const [is, has] = row.result === null ? ["a notification", "no id"] : ["a request", "an id"];
    return { what: `${method} was sent as a ${kind}`, wanted: `${method} is ${is}: it has ${has}` };
  }
  if (!isJsonObject(params)) return { what: `the params of ${method} are no object`, wanted: "an object" };
  const decoded = decode(row.params, structuredClone(params));
  if (!decoded.ok)
    return { what: problemsText(`${method} params`, decoded.problems), wanted: "params of the contract's shape" };
  return judgeSurface(method, params, standing);
}

/** Surfaces and questions: their payload goes by their kind, and they carry the stamp of the handshake. */
function judgeSurface(method: string, params: unknown, standing: Standing): Fault | null {
  if (method !== "host/ui/publish" && method !== "host/ui/request") return null;
  if (!standing.capabilities.includes("ui"))
    return { what: `${method} without the capability ui`, wanted: '"ui" in runtime.capabilities of the manifest' };
  const stamped = method === "host/ui/publish" ? decode(UIPublishParams, params) : decode(UIRequestParams, params);
  if (!stamped.ok) return null;
  const { sessionId, generation, kind, payload } = stamped.value;
  if (sessionId !== standing.sessionId || generation !== standing.generation)
    return {
      what: `${method} carries session ${JSON.stringify(sessionId)}, generation ${generation}`,
      wanted: `the ones of the handshake: ${JSON.stringify(standing.sessionId)}, generation ${standing.generation}`,
    };
  const schema: Schema<object> =
    method === "host/ui/publish" && isSurfaceKind(kind) ? SURFACE_PAYLOADS[kind] : FormPayload;
  const decoded = decode(schema, structuredClone(payload));
  if (decoded.ok) return null;
  return { what: problemsText(`${method} payload of kind ${kind}`, decoded.problems), wanted: "a payload of its kind" };
}

function isSurfaceKind(kind: string): kind is keyof typeof SURFACE_PAYLOADS {
  return Object.hasOwn(SURFACE_PAYLOADS, kind);
}
