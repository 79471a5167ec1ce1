/** Sees the requests that extensions changed, and tells once when they keep a provider's cache from working. */
import type { StoredMessage } from "../ports.ts";

/** Messages at the end that may differ from one request to the next: what is volatile belongs there. */
const TAIL = 2;

export class PrefixWatch {
  #before: { readonly messages: readonly StoredMessage[]; readonly agent: string } | null = null;
  readonly #told = new Set<string>();

  /**
   * `changedBy` names plugins with their point, such as `acme at context.prepare`; nothing is compared where it is empty.
   * Returns a sentence where the request no longer begins as the one before did, else null.
   */
  see(agent: string, messages: readonly StoredMessage[], changedBy: readonly string[]): string | null {
    if (changedBy.length === 0) {
      this.#before = null;
      return null;
    }
    const before = this.#before;
    this.#before = { messages, agent };
    const who = changedBy.join(", ");
    if (before?.agent !== agent || this.#told.has(who)) return null;
    const kept = before.messages.slice(0, -TAIL);
    const at = kept.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(messages[index]));
    if (at < 0) return null;
    this.#told.add(who);
    return (
      `Requests no longer begin as the one before did: message ${at + 1} of ${messages.length} differs (changed by ${who}). ` +
      "The provider's cache cannot serve what follows, and each request costs more. What changes from request to request " +
      "belongs to the end."
    );
  }

  /** After a compaction requests begin anew. */
  forget(): void {
    this.#before = null;
  }
}
