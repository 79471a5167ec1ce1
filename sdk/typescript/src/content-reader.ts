/** Pages a content reference back, two pages in flight, and checks count, hash and progress before it is believed. */
import { isUtf8 } from "node:buffer";
import { ContentReadResult, LIMITS, type ExternalizedField } from "@reasonix-ts/protocol";
import { failure } from "./failure.ts";
import { readResult } from "./wire.ts";

/** Asks for the page at `offset`, in bytes; resolves with a `host/content/read` result. */
export type ReadPage = (contentRef: string, offset: number) => Promise<unknown>;

const METHOD = "host/content/read";
const IN_FLIGHT = 2;

/**
 * The text behind a reference.
 * Rejects with what `readPage` rejects with, and with a `protocol_error` when a page is not the one that was asked
 * for, the reading makes no progress, or count, hash or encoding are not those of the reference.
 */
export async function readContent(field: ExternalizedField, readPage: ReadPage): Promise<string> {
  const { contentRef, totalBytes, sha256 } = field;
  if (totalBytes > LIMITS.contentRefObjectBytes)
    throw broken(
      contentRef,
      `is announced with ${totalBytes} bytes, over the limit of ${LIMITS.contentRefObjectBytes}`,
    );
  const pages = new Ahead(contentRef, totalBytes, readPage);
  const parts: Buffer[] = [];
  let offset = 0;
  while (offset < totalBytes) {
    const page = readResult(METHOD, ContentReadResult, await pages.at(offset));
    const bytes = Buffer.from(page.dataBase64, "base64");
    const fault = pageFault(page, field, offset, bytes.length);
    if (fault !== null) throw broken(contentRef, fault);
    parts.push(bytes);
    offset += bytes.length;
    pages.sized(bytes.length);
  }
  const content = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  // Loaded when first needed: most sidecars never read a reference, and every one of them has to start.
  const { createHash } = await import("node:crypto");
  const digest = createHash("sha256").update(content).digest("hex");
  if (digest !== sha256) throw broken(contentRef, `has the SHA-256 ${digest}, announced was ${sha256}`);
  if (!isUtf8(content)) throw broken(contentRef, "holds bytes that are not UTF-8");
  return content.toString("utf8");
}

/** What is wrong with one page, or null. */
function pageFault(page: ContentReadResult, field: ExternalizedField, offset: number, length: number): string | null {
  if (page.contentRef !== field.contentRef) return `was asked for, ${page.contentRef} came`;
  if (page.offset !== offset) return `was asked for offset ${offset}, the page at ${page.offset} came`;
  if (page.totalBytes !== field.totalBytes)
    return `is announced with ${field.totalBytes} bytes, a page says ${page.totalBytes}`;
  if (page.sha256 !== field.sha256) return `is announced with SHA-256 ${field.sha256}, a page says ${page.sha256}`;
  if (length === 0) return `made no progress at offset ${offset}`;
  const end = offset + length;
  if (end > field.totalBytes) return `has ${field.totalBytes} bytes, pages up to ${end} came`;
  const nextOffset = page.nextOffset ?? field.totalBytes;
  return nextOffset === end ? null : `goes on at ${nextOffset} after a page that ends at ${end}`;
}

function broken(contentRef: string, fault: string): Error {
  return failure("protocol_error", `content reference ${contentRef} ${fault}`);
}

/** Pages asked for before they are needed, at the offsets where full pages would put them. */
class Ahead {
  readonly #contentRef: string;
  readonly #total: number;
  readonly #readPage: ReadPage;
  readonly #pages = new Map<number, Promise<unknown>>();
  #size: number = LIMITS.contentRefChunkBytes;

  constructor(contentRef: string, total: number, readPage: ReadPage) {
    this.#contentRef = contentRef;
    this.#total = total;
    this.#readPage = readPage;
  }

  at(offset: number): Promise<unknown> {
    for (let index = 0; index < IN_FLIGHT; index++) void this.#ask(offset + index * this.#size);
    const page = this.#ask(offset);
    this.#pages.delete(offset);
    return page ?? Promise.reject(broken(this.#contentRef, `ends before offset ${offset}`));
  }

  /** The host's pages may be smaller than ours would be: guess by the last one that was not cut short by the end. */
  sized(bytes: number): void {
    this.#size = Math.max(bytes, 1);
  }

  #ask(offset: number): Promise<unknown> | undefined {
    const known = this.#pages.get(offset);
    if (known !== undefined || offset >= this.#total) return known;
    const page = this.#readPage(this.#contentRef, offset);
    // A page that is never used may fail unheard.
    page.catch(() => undefined);
    this.#pages.set(offset, page);
    return page;
  }
}
