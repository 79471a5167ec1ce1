/** A payload on its way through a point: serialised once, spliced into every frame that carries it. */
import { LIMITS, type ExternalizedField } from "@reasonix-ts/protocol";
import { contentOf, type Content, type ContentStore } from "../content-store.ts";

/** How a payload travels to one sidecar. */
export type Passage =
  | { readonly kind: "inline"; readonly members: string }
  | { readonly kind: "by_reference"; readonly members: string; readonly field: ExternalizedField }
  /** More than one content object may hold: it cannot travel at all. */
  | { readonly kind: "too_large"; readonly bytes: number };

export class Parcel {
  readonly value: object;
  #text: string | undefined;
  #bytes: number | undefined;
  #content: Content | undefined;

  constructor(value: object, text?: string) {
    this.value = value;
    this.#text = text;
  }

  /** JSON text. */
  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }

  /** Gives the frame's `payload` and `externalized` members, and stores the content where it goes by reference. */
  passTo(store: ContentStore): Passage {
    if (this.#travelsInline()) return { kind: "inline", members: `"payload":${this.text}` };
    this.#bytes ??= Buffer.byteLength(this.text);
    if (this.#bytes > LIMITS.contentRefObjectBytes) return { kind: "too_large", bytes: this.#bytes };
    this.#content ??= contentOf(this.text);
    const field = store.put(this.#content, "/payload");
    return { kind: "by_reference", members: `"payload":null,"externalized":[${JSON.stringify(field)}]`, field };
  }

  /** A UTF-16 unit takes one to three bytes: bytes are counted only where that leaves a doubt. */
  #travelsInline(): boolean {
    const units = this.text.length;
    if (units > LIMITS.externalizeFieldBytes) return false;
    if (units * 3 <= LIMITS.externalizeFieldBytes) return true;
    this.#bytes ??= Buffer.byteLength(this.text);
    return this.#bytes <= LIMITS.externalizeFieldBytes;
  }
}
