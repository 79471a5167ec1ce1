/** A payload as it arrives: in the frame, or behind a content reference. */
import {
  BOUNDS,
  decodeTolerant,
  POINTS,
  type ExternalizedField,
  type PointName,
  type Schema,
} from "@reasonix-ts/protocol";
import { readContent } from "./content-reader.ts";
import { failure, misshapen } from "./failure.ts";
import type { Link } from "./link.ts";

/** Milliseconds that one page may take. */
const PAGE_TIMEOUT = 30_000;

/** A payload that came by reference, kept so that an answer that does not change it need not be sent back. */
export interface FetchedPayload {
  readonly field: ExternalizedField;
  readonly text: string;
}

/** Reads the one field that a host may move out of a frame, `/payload`. */
export async function fetchPayload(
  link: Link,
  externalized: readonly ExternalizedField[],
  signal?: AbortSignal,
): Promise<FetchedPayload> {
  const [field, ...others] = externalized;
  if (field === undefined || others.length > 0 || field.jsonPointer !== "/payload") {
    const pointers = externalized.map(({ jsonPointer }) => jsonPointer.slice(0, BOUNDS.quotedBytes)).join(", ");
    throw failure("invalid_params", `externalized holds ${pointers}; this extension reads /payload alone`);
  }
  const options = signal === undefined ? { timeoutMillis: PAGE_TIMEOUT } : { timeoutMillis: PAGE_TIMEOUT, signal };
  const text = await readContent(field, (contentRef, offset) =>
    link.request("host/content/read", { contentRef, offset }, options),
  );
  return { field, text };
}

/** Checks a payload against its point's shape; members that this version does not know stay where they are. */
export function readPayload(point: PointName, payload: unknown): object {
  const schema: Schema<object> = POINTS[point].payload;
  const decoded = decodeTolerant(schema, payload);
  if (!decoded.ok) throw misshapen(`the payload at ${point}`, decoded.problems);
  return decoded.value;
}

export function parsePayload({ field, text }: FetchedPayload): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failure("protocol_error", `content reference ${field.contentRef} holds no JSON`, error);
  }
}
