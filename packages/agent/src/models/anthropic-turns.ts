/** Turns messages into the user and assistant turns of the messages API. */
import type { StoredMessage } from "../ports.ts";
import { argumentsObject, objectIn, textIn } from "./foreign.ts";
import { base64Image, imageNote } from "./images.ts";

/** A block of content in the provider's form. */
export type Block = { readonly [member: string]: unknown };

export interface Turn {
  readonly role: "assistant" | "user";
  readonly content: readonly Block[];
}

/** Neighbours of one role become one turn: the API wants all results of a batch in the turn after it. */
export function wireTurns(messages: readonly StoredMessage[], provider: string, vision: boolean): readonly Turn[] {
  const turns: { role: Turn["role"]; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = role === "assistant" ? answerBlocks(message, provider) : inputBlocks(message, vision);
    // The API refuses a turn without content.
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  }
  return turns;
}

function inputBlocks(message: StoredMessage, vision: boolean): readonly Block[] {
  const { content = "", images = [] } = message;
  const text = vision ? content : content + imageNote(images);
  const blocks: Block[] = text === "" ? [] : [{ type: "text", text }];
  if (vision) blocks.push(...images.map(imageBlock));
  if (message.role !== "tool") return blocks;
  return [{ type: "tool_result", tool_use_id: message.tool_call_id ?? "", content: blocks }];
}

function imageBlock(url: string): Block {
  const image = base64Image(url);
  const source =
    image === null ? { type: "url", url } : { type: "base64", media_type: image.mediaType, data: image.data };
  return { type: "image", source };
}

/** The provider's own blocks when it made this very answer, since thinking carries a seal; else text and calls. */
function answerBlocks(message: StoredMessage, provider: string): readonly Block[] {
  const own = ownBlocks(message, provider);
  if (own !== null) return own;
  const { content = "", tool_calls: calls = [] } = message;
  const uses = calls.map((call) => ({
    type: "tool_use",
    id: call.id,
    name: call.name,
    input: argumentsObject(call.arguments),
  }));
  return content.trim() === "" ? uses : [{ type: "text", text: content }, ...uses];
}

/** Null when there are none, or when text or calls were changed since: the blocks would contradict what happened. */
function ownBlocks(message: StoredMessage, provider: string): readonly Block[] | null {
  if (message.native?.provider !== provider) return null;
  const blocks = message.native.blocks.map(objectIn).filter((block) => block !== null);
  const text = blocks.map((block) => (block["type"] === "text" ? textIn(block["text"]) : "")).join("");
  const uses = blocks.flatMap((block) => (block["type"] === "tool_use" ? [textIn(block["id"])] : []));
  const calls = (message.tool_calls ?? []).map((call) => call.id);
  const same = text === (message.content ?? "") && uses.join("\n") === calls.join("\n");
  return same && blocks.length > 0 ? blocks : null;
}
