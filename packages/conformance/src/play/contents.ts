/** The referee's content store: large payloads that a sidecar pages back, whole or deliberately wrong. */
import { createHash, randomUUID } from "node:crypto";
import { LIMITS, type ContentReadResult, type ExternalizedField } from "@reasonix-ts/protocol";

/** How the pages of an object are served. */
export type Serving = "whole" | "damaged" | "standing_still" | "expired";

export interface Content {
  readonly field: ExternalizedField;
  readonly bytes: Buffer;
  readonly serving: Serving;
  /** Offsets asked for, in order. */
  readonly reads: number[];
}

/** Puts a payload beside the frame; `/payload` is its pointer. */
export function makeContent(payload: unknown, serving: Serving): Content {
  const bytes = Buffer.from(JSON.stringify(payload));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const field = { jsonPointer: "/payload", contentRef: randomUUID(), totalBytes: bytes.length, sha256 };
  return { field, bytes, serving, reads: [] };
}

/** A page, or null where a host would answer content_ref_expired. */
export function servePage(content: Content, offset: number): ContentReadResult | null {
  content.reads.push(offset);
  const { field, serving } = content;
  const { contentRef, totalBytes, sha256 } = field;
  if (serving === "expired" || offset > totalBytes) return null;
  const page = Buffer.from(content.bytes.subarray(offset, offset + LIMITS.contentRefChunkBytes));
  // One letter of the text becomes another, so that the JSON still parses and only the hash can tell.
  if (serving === "damaged" && offset === 0) page.write("Z", Math.max(0, page.indexOf("large")));
  const next = serving === "standing_still" ? offset : offset + page.length;
  return {
    contentRef,
    offset,
    dataBase64: page.toString("base64"),
    ...(next < totalBytes ? { nextOffset: next } : {}),
    totalBytes,
    sha256,
    encoding: "utf8",
  };
}
