/** Large payloads that one sidecar may page back for a while; nobody else's references are known here. */
import { createHash, randomBytes } from "node:crypto";
import { LIMITS, type ContentReadResult, type ExternalizedField } from "@reasonix-ts/protocol";
import type { Clock } from "@reasonix-ts/rpc";

/** JSON text as bytes with their hash, made once and shared by the stores of all sidecars that get it. */
export interface Content {
  readonly bytes: Buffer;
  /** Lower-case hex. */
  readonly sha256: string;
}

export function contentOf(text: string): Content {
  const bytes = Buffer.from(text, "utf8");
  return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
}

export class ContentStore {
  readonly #clock: Clock;
  readonly #objects = new Map<string, Content>();
  readonly #timers = new Map<string, () => void>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Objects that can be read now. */
  get size(): number {
    return this.#objects.size;
  }

  /** Keeps the content until `expire` or `close`. */
  put(content: Content, jsonPointer: string): ExternalizedField {
    const contentRef = `content-${randomBytes(16).toString("hex")}`;
    if (!this.#closed) this.#objects.set(contentRef, content);
    return { jsonPointer, contentRef, totalBytes: content.bytes.length, sha256: content.sha256 };
  }

  /** Lets go of the content, now or after a while. */
  expire(contentRef: string, afterMillis: number): void {
    this.#timers.get(contentRef)?.();
    this.#timers.delete(contentRef);
    if (afterMillis <= 0) {
      this.#objects.delete(contentRef);
      return;
    }
    if (!this.#objects.has(contentRef)) return;
    const cancel = this.#clock.after(afterMillis, () => {
      this.#timers.delete(contentRef);
      this.#objects.delete(contentRef);
    });
    this.#timers.set(contentRef, cancel);
  }

  /** One page; null when the reference is unknown or expired, or the offset lies beyond the end. */
  read(contentRef: string, offset: number): ContentReadResult | null {
    const content = this.#objects.get(contentRef);
    if (content === undefined) return null;
    const { bytes, sha256 } = content;
    if (offset > bytes.length) return null;
    const end = Math.min(offset + LIMITS.contentRefChunkBytes, bytes.length);
    return {
      contentRef,
      offset,
      dataBase64: bytes.toString("base64", offset, end),
      ...(end < bytes.length ? { nextOffset: end } : {}),
      totalBytes: bytes.length,
      sha256,
      encoding: "utf8",
    };
  }

  /** Forgets all and keeps nothing from now on: nobody is left to read it. */
  close(): void {
    this.#closed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#objects.clear();
  }
}
