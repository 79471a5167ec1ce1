/** Makes a failure of trouble with a provider: what happened, where, and what to do next. Pure. */
import { createRedactor, formatMillis, oneLine, quote } from "@reasonix-ts/text";
import type { Endpoint } from "./endpoint.ts";
import { ModelFailure, type FailureFacts } from "./failure.ts";
import { listIn, objectIn, parseJson, textIn } from "./foreign.ts";
import { isTransientStatus, type Trouble } from "./trouble.ts";

/** The key and all header values are taken out of the text, then whatever has the shape of a secret. */
export function failureOf(endpoint: Endpoint, trouble: Trouble): ModelFailure {
  const { settings, ref } = endpoint;
  const key = settings.api_key_env === undefined ? undefined : endpoint.apiKey(settings.api_key_env)?.trim();
  const literals = [...(key === undefined ? [] : [key]), ...Object.values(settings.headers ?? {})];
  const { redact } = createRedactor({ literals });
  const told = explain(endpoint, trouble, redact);
  const cause = trouble.kind === "network" ? trouble.error : undefined;
  return new ModelFailure(redact(told.text), { providerRef: ref, ...told.facts }, { cause });
}

interface Told {
  readonly text: string;
  readonly facts: Omit<FailureFacts, "providerRef">;
}

function explain(endpoint: Endpoint, trouble: Trouble, redact: (text: string) => string): Told {
  const { name, base_url: url } = endpoint.settings;
  switch (trouble.kind) {
    case "key_missing":
      return {
        text: `${endpoint.ref} needs an API key and ${trouble.environmentName} is not set. Run \`reasonix setup\`, or set ${trouble.environmentName} in the environment.`,
        facts: { kind: "unavailable" },
      };
    case "key_unusable":
      return {
        text: `The value of ${trouble.environmentName} has characters that no API key has, such as a line end. Set it anew with \`reasonix setup\`.`,
        facts: { kind: "unavailable" },
      };
    case "status":
      return explainStatus(endpoint, trouble, redact);
    case "reported": {
      const { status, code, message } = trouble;
      const shown = [code, message].filter((part) => part !== "").join(": ");
      return {
        text: `${name} reported an error in the middle of its answer: ${sentence(redact(shown))}`,
        facts: { kind: "failed", ...statusFacts(status, code) },
      };
    }
    case "not_a_stream":
      return {
        text: `${name} answered with ${quote(trouble.contentType, { redact })} in place of an event stream: ${said(trouble.body, redact)} Check base_url of provider ${name} in config.toml (${url}).`,
        facts: { kind: "failed", retryable: false },
      };
    case "malformed":
      return {
        text: `${name} sent an event that is not understood: ${quote(trouble.data, { redact })}. Check that base_url (${url}) and kind (${endpoint.settings.kind}) of provider ${name} belong together.`,
        facts: { kind: "failed", retryable: false },
      };
    case "network":
      return explainNetwork(endpoint, trouble.error, trouble.streaming);
    case "silence":
      return {
        text: trouble.streaming
          ? `${name} stopped in the middle of its answer and said nothing for ${formatMillis(trouble.millis)}. Try again.`
          : `${name} did not answer within ${formatMillis(trouble.millis)}. Try again, or check base_url (${url}).`,
        facts: { kind: "interrupted" },
      };
    case "cut":
      return {
        text: `${name} closed the connection before its answer was whole. Try again.`,
        facts: { kind: "interrupted" },
      };
  }
}

function explainStatus(
  endpoint: Endpoint,
  trouble: Extract<Trouble, { kind: "status" }>,
  redact: (text: string) => string,
): Told {
  const { status, body, location } = trouble;
  const { name, base_url: url, api_key_env: keyName } = endpoint.settings;
  const code = codeIn(body);
  const facts = {
    kind: "failed",
    ...statusFacts(status, code),
    ...(trouble.retryAfterMillis === null ? {} : { retryAfterMillis: trouble.retryAfterMillis }),
  } as const;
  const words = said(body, redact);
  const text = (lead: string, next: string): Told => ({ text: `${lead}: ${words} ${next}`, facts });
  if (status === 401 || status === 403) {
    const next =
      keyName === undefined
        ? `No key was sent: set api_key_env of provider ${name} in config.toml.`
        : `Check ${keyName}, or run \`reasonix setup\`.`;
    return text(status === 401 ? `${name} refused the API key (401)` : `${name} refused access (403)`, next);
  }
  if (status === 402 || !isRetryableCode(code)) {
    return text(
      `${name} has no credit left for this key (${status})`,
      `Top up the account that ${keyName ?? "the key"} belongs to.`,
    );
  }
  if (status === 404) {
    return text(
      `${name} does not know the model ${JSON.stringify(endpoint.model)} (404)`,
      `Check models and base_url of provider ${name} in config.toml (${url}).`,
    );
  }
  if (status === 429) {
    const wait = trouble.retryAfterMillis;
    const next = wait === null ? "Wait a little and try again." : `It asks to wait ${formatMillis(wait)}.`;
    return text(`${name} limits the rate of requests (429)`, next);
  }
  if (status >= 300 && status < 400) {
    const to = location === null ? "elsewhere" : `to ${quote(location, { redact })}`;
    return {
      text: `${name} redirects ${to} (${status}), and a key is not carried on. Set base_url of provider ${name} to the final address.`,
      facts,
    };
  }
  if (status === 413 || code === "context_length_exceeded") {
    return text(
      `The conversation is longer than ${endpoint.ref} takes (${status})`,
      "Compact it, or choose a model with a larger window.",
    );
  }
  if (status >= 500) return text(`${name} has trouble of its own (${status})`, "Try again later.");
  return text(
    `${name} refused the request (${status})`,
    `Check model, effort and headers of provider ${name} in config.toml.`,
  );
}

function statusFacts(status: number | null, code: string): { readonly status?: number; readonly retryable: boolean } {
  if (status === null) return { retryable: false };
  return { status, retryable: isTransientStatus(status) && isRetryableCode(code) };
}

/** A spent quota comes with status 429 too, and no wait mends it. */
function isRetryableCode(code: string): boolean {
  return code !== "insufficient_quota" && code !== "billing_error";
}

const REFUSED = new Set(["ECONNREFUSED"]);
const NO_SUCH_HOST = new Set(["ENOTFOUND", "EAI_AGAIN"]);

function explainNetwork({ settings, ref }: Endpoint, error: unknown, streaming: boolean): Told {
  const { name, base_url: url } = settings;
  const { code, message } = rootOf(error);
  if (REFUSED.has(code)) {
    return {
      text: `Nothing listens at ${url} (${code}). Start the server of provider ${name}, or correct its base_url in config.toml.`,
      facts: { kind: "unavailable" },
    };
  }
  if (NO_SUCH_HOST.has(code)) {
    return {
      text: `The host of ${url} is not found (${code}). Check the network, and base_url of provider ${name} in config.toml.`,
      facts: { kind: "unavailable", retryable: code === "EAI_AGAIN" },
    };
  }
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) {
    return {
      text: `The certificate of ${url} is not trusted (${code}). If it is your own authority's, point NODE_EXTRA_CA_CERTS at its file.`,
      facts: { kind: "unavailable" },
    };
  }
  const shown = code === "" ? oneLine(message).slice(0, 200) : code;
  return {
    text: streaming
      ? `The connection to ${name} broke off before its answer was whole (${shown}). Try again.`
      : `The connection to ${ref} at ${url} failed (${shown}). Check the network and try again.`,
    facts: { kind: "interrupted" },
  };
}

/** fetch wraps the system's error, and several addresses tried make one error of many. */
function rootOf(error: unknown): { readonly code: string; readonly message: string } {
  let at: unknown = error;
  for (let depth = 0; depth < 5; depth++) {
    if (at instanceof AggregateError && at.errors.length > 0) at = at.errors[0];
    else if (at instanceof Error && at.cause !== undefined && !("code" in at && at.code !== undefined)) at = at.cause;
    else break;
  }
  const code = at instanceof Error && "code" in at ? textIn(at.code) : "";
  return { code, message: at instanceof Error ? at.message : String(at) };
}

function codeIn(body: string): string {
  const error = objectIn(objectIn(parseJson(body))?.["error"]);
  return textIn(error?.["code"]) || textIn(error?.["type"]);
}

/** The provider's own words, if it has any in one of the usual places; else the start of what it sent. */
function said(body: string, redact: (text: string) => string): string {
  const top = objectIn(parseJson(body)) ?? objectIn(listIn(parseJson(body))[0]);
  const error = top?.["error"];
  const message =
    textIn(objectIn(error)?.["message"]) || textIn(error) || textIn(top?.["message"]) || textIn(top?.["detail"]);
  if (message !== "") return sentence(redact(message));
  return body.trim() === "" ? "no further word." : `${quote(body.trim(), { redact, maxBytes: 160 })}.`;
}

const LONGEST = 400;

function sentence(text: string): string {
  const line = oneLine(text);
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}
