/** The content store of the in-memory host: large payloads leave the frame and are paged back. */
import { createHash } from "node:crypto";
import {
  ContentReadParams,
  decode,
  LIMITS,
  problemsText,
  wireError,
  type ExternalizedField,
  type InterceptResult,
} from "@reasonix-ts/protocol";
import { RpcError, type Peer } from "@reasonix-ts/rpc";

interface Stored {
  readonly bytes: Buffer;
  readonly field: ExternalizedField;
  readonly whenRead: Promise<void>;
  readonly read: () => void;
}

export class TestContent {
  readonly #objects = new Map<string, Stored>();

  constructor(peer: Peer) {
    peer.onRequest("host/content/read", (raw) => {
      const decoded = decode(ContentReadParams, raw);
      if (!decoded.ok)
        throw new RpcError(wireError("invalid_params", problemsText("host/content/read params", decoded.problems)));
      return this.#page(decoded.value.contentRef, decoded.value.offset);
    });
  }

  /** The payload's members of a frame: inline, or behind a reference when its JSON text is over 64 KiB. */
  carry(payload: object): { readonly payload: object | null; readonly externalized?: readonly ExternalizedField[] } {
    const bytes = Buffer.from(JSON.stringify(payload));
    if (bytes.length <= LIMITS.externalizeFieldBytes) return { payload };
    const contentRef = `test-content-${this.#objects.size + 1}`;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const field = { jsonPointer: "/payload", contentRef, totalBytes: bytes.length, sha256 };
    let read = (): void => {};
    const whenRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    this.#objects.set(contentRef, { bytes, field, whenRead, read });
    return { payload: null, externalized: [field] };
  }

  /** The replacement itself, also where the answer refers to the payload that it was asked about. */
  replacementIn(result: InterceptResult): unknown {
    const [field] = result.externalized ?? [];
    if (field === undefined) return result.replacement;
    const stored = this.#objects.get(field.contentRef);
    if (field.jsonPointer !== "/replacement" || stored === undefined)
      throw new TypeError(`the answer refers to ${field.contentRef} at ${field.jsonPointer}, which it was not given`);
    const value: unknown = JSON.parse(stored.bytes.toString());
    return value;
  }

  /** Resolves when the last reference that went out has been read to its end. */
  async readAll(): Promise<void> {
    await [...this.#objects.values()].at(-1)?.whenRead;
  }

  #page(contentRef: string, offset: number): object {
    const stored = this.#objects.get(contentRef);
    if (stored === undefined || offset > stored.bytes.length)
      throw new RpcError(wireError("content_ref_expired", `nothing is stored at ${contentRef}, offset ${offset}`));
    const { bytes, field } = stored;
    const end = Math.min(offset + LIMITS.contentRefChunkBytes, bytes.length);
    const isLast = end === bytes.length;
    if (isLast) setImmediate(stored.read);
    return {
      contentRef,
      offset,
      dataBase64: bytes.toString("base64", offset, end),
      ...(isLast ? {} : { nextOffset: end }),
      totalBytes: field.totalBytes,
      sha256: field.sha256,
      encoding: "utf8",
    };
  }
}
