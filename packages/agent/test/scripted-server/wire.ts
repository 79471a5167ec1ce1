/** What a wire format is to the scripted server: it reads requests and writes streamed answers. */
import type { Message } from "@reasonix-ts/protocol";
import type { StreamReply } from "./script.ts";

/** What is done to a response: bytes are written, or something happens in between. */
export type Act =
  | { readonly kind: "write"; readonly text: string }
  | { readonly kind: "pause"; readonly millis: number }
  | { readonly kind: "cut" }
  | { readonly kind: "end" }
  | { readonly kind: "stall" };

export interface ReadRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly Message[];
  readonly toolsOffered: boolean;
}

export interface Wire {
  /** The end of the path that belongs to this format. */
  readonly path: string;
  read(body: unknown): ReadRequest;
  stream(model: string, reply: StreamReply): Iterable<Act>;
  /** The same answer as one JSON body, for a request without `stream`. */
  whole(model: string, reply: StreamReply): object;
}
