/** The model server: where it is, which models it has, one streamed request. */
import { ProviderInterrupted } from "@reasonix-ts/sdk";

export interface Server {
  /** With the path before `/models` and `/chat/completions`, such as `http://127.0.0.1:8080/v1`. */
  readonly url: string;
  /** Empty where the server wants none. */
  readonly key: string;
}

/** A server that does not answer must not hold up the start. */
const LIST_MILLIS = 5_000;

/** The ids of the models that the server offers. Rejects with an error that says what to do. */
export async function listModels(server: Server): Promise<readonly string[]> {
  const response = await ask(server, "/models", { signal: AbortSignal.timeout(LIST_MILLIS) });
  const body: unknown = await response.json();
  const models = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  if (!Array.isArray(models)) throw new Error(`${server.url}/models answered no list of models`);
  return models.flatMap((model: unknown) =>
    typeof model === "object" && model !== null && "id" in model && typeof model.id === "string" ? [model.id] : [],
  );
}

/** Posts a request and gives the stream of bytes that comes back. */
export async function openCompletion(
  server: Server,
  body: object,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const response = await ask(server, "/chat/completions", { method: "POST", body: JSON.stringify(body), signal });
  if (response.body === null) throw new ProviderInterrupted(`${server.url} answered without a body`);
  return response.body;
}

async function ask({ url, key }: Server, path: string, init: RequestInit): Promise<Response> {
  const headers = { "content-type": "application/json", ...(key === "" ? {} : { authorization: `Bearer ${key}` }) };
  const response = await fetch(`${url}${path}`, { ...init, headers }).catch((error: unknown) => {
    const hint = "start the server, or set LOCAL_MODEL_URL in plugin-env/local-model.env";
    throw new ProviderInterrupted(`no answer from ${url}; ${hint}`, { cause: error });
  });
  if (response.ok) return response;
  const text = `${url}${path} answered ${response.status}: ${(await response.text()).slice(0, 500)}`;
  // Busy and broken servers may do better in a moment; what was refused will be refused again.
  throw response.status === 429 || response.status >= 500 ? new ProviderInterrupted(text) : new Error(text);
}
