/** What can go wrong between us and a provider, as facts; `explain.ts` makes sentences of them. */

export type Trouble =
  /** The variable that `api_key_env` names is not set. */
  | { readonly kind: "key_missing"; readonly environmentName: string }
  /** Its value cannot stand in a header. */
  | { readonly kind: "key_unusable"; readonly environmentName: string }
  /** An HTTP answer that is no success; `body` is its first part. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body: string;
      readonly retryAfterMillis: number | null;
      readonly location: string | null;
    }
  /** An error that the provider reports inside a stream; `status` is what it amounts to. */
  | { readonly kind: "reported"; readonly code: string; readonly message: string; readonly status: number | null }
  /** A success that is no event stream. */
  | { readonly kind: "not_a_stream"; readonly contentType: string; readonly body: string }
  /** An event that is not what the wire format says. */
  | { readonly kind: "malformed"; readonly data: string }
  /** No connection, or a broken one. */
  | { readonly kind: "network"; readonly error: unknown; readonly streaming: boolean }
  | { readonly kind: "silence"; readonly millis: number; readonly streaming: boolean }
  /** The stream ended before the answer did. */
  | { readonly kind: "cut" };

/** Statuses after which the same request may succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** Reads Retry-After (seconds or an HTTP date) and retry-after-ms; null where neither says anything. */
export function retryAfterMillis(headers: Headers, now: number): number | null {
  const millis = headers.get("retry-after-ms");
  if (millis !== null && /^\d+(\.\d+)?$/.test(millis)) return Math.ceil(Number(millis));
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  // Every HTTP date starts with the name of a day; Date.parse alone would read much else as a date.
  if (!/^[A-Za-z]{3,9},? /.test(value)) return null;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
