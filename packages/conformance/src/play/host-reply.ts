/** What the referee answers to a sidecar's requests: as a headless host without a browser would (pure, but for reads noted). */
import { ContentReadParams, decode, wireError, type WireError } from "@reasonix-ts/protocol";
import { servePage, type Content } from "./contents.ts";

export type HostReply = { readonly result: unknown } | { readonly error: WireError };

export function hostReply(method: string, params: unknown, contents: ReadonlyMap<string, Content>): HostReply {
  if (method === "host/content/read") return readContent(params, contents);
  if (method === "host/ui/publish") return { result: { accepted: true } };
  if (method === "host/ui/request") return { result: { cancelled: true } };
  if (method.startsWith("host/browser/"))
    return { error: wireError("browser_unavailable", "this host has no browser") };
  return { error: wireError("unknown_method", `this host knows no method "${method}"`) };
}

function readContent(params: unknown, contents: ReadonlyMap<string, Content>): HostReply {
  const decoded = decode(ContentReadParams, params);
  if (!decoded.ok) return { error: wireError("invalid_params", "the params of host/content/read are not its shape") };
  const content = contents.get(decoded.value.contentRef);
  const page = content === undefined ? null : servePage(content, decoded.value.offset);
  if (page !== null) return { result: page };
  return { error: wireError("content_ref_expired", `there is no page at offset ${decoded.value.offset}`) };
}
