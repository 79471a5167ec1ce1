/** Masks the secrets of one request, and knows them when the answer comes. */
import type { Message, ToolCall } from "@reasonix-ts/sdk";
import { SECRET_SHAPES } from "./shapes.ts";

/**
 * Secrets are numbered as they appear, from the first message on. A request that begins like the one before is then
 * masked like the one before, and the provider's cache goes on serving it. Nothing has to be kept for that.
 */
export class Masks {
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#numbers.size;
  }

  hideInMessage(message: Message): Message {
    return {
      ...message,
      ...(message.content === undefined ? {} : { content: this.hide(message.content) }),
      ...(message.tool_calls === undefined
        ? {}
        : { tool_calls: message.tool_calls.map((call) => this.#hideInCall(call)) }),
    };
  }

  hide(text: string): string {
    let masked = text;
    for (const shape of SECRET_SHAPES) masked = masked.replace(shape, (secret) => this.#maskOf(secret));
    return masked;
  }

  /** Masks that no secret of this request has stay as they are. */
  restore(text: string): string {
    const secrets = [...this.#numbers.keys()];
    return text.replace(/<secret-(\d+)>/g, (mask, number: string) => secrets[Number(number) - 1] ?? mask);
  }

  #hideInCall(call: ToolCall): ToolCall {
    return { ...call, arguments: this.hide(call.arguments) };
  }

  #maskOf(secret: string): string {
    const number = this.#numbers.get(secret) ?? this.#numbers.size + 1;
    this.#numbers.set(secret, number);
    return `<secret-${number}>`;
  }
}
