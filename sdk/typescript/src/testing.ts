/** An in-memory host for unit tests of an extension: the real wire on both sides, no process, no model. */
import {
  decode,
  InitializeResult,
  InterceptResult,
  POINTS,
  problemsText,
  PROTOCOL_ID,
  PROTOCOL_VERSION,
  ProviderCatalogResult,
  ToolCallResult,
  UIActionResult,
  UISubmitResult,
  type FrameMeta,
  type Infer,
  type ManifestExpectation,
  type Payloads,
  type PointName,
  type ProviderDescriptor,
  type ProviderRequest,
  type Schema,
} from "@reasonix-ts/protocol";
import { createPair, type CallOptions, type Peer } from "@reasonix-ts/rpc";
import { attach } from "./attach.ts";
import type { Session } from "./context.ts";
import type { Extension } from "./define.ts";
import { describeFailure } from "./failure.ts";
import { createGoodbye } from "./goodbye.ts";
import type { ActionArguments, ToolArguments } from "./handlers.ts";
import type { FormValues } from "./ui.ts";
import { createLog, messageOf } from "./log.ts";
import { createRedactor } from "./redact.ts";
import { TestContent } from "./testing/content.ts";
import { TestStreams, type StreamOptions, type TestStream } from "./testing/streams.ts";
import { TestSurfaces, type AskedQuestion, type PublishedSurface } from "./testing/surfaces.ts";

export type { StreamOptions, StreamOutcome, TestStream } from "./testing/streams.ts";
export type { AskedQuestion, PublishedSurface } from "./testing/surfaces.ts";

export interface TestHostOptions {
  /** What the manifest would allow; by default the host expects what the extension declares. */
  readonly manifest?: ManifestExpectation;
  readonly session?: Partial<Session>;
  /** The name under which the plugin is installed; by default the extension's. */
  readonly pluginName?: string;
  /** Answers questions: values by field key, or null for nobody there. By default nobody is. */
  readonly answer?: (question: AskedQuestion) => FormValues | null | Promise<FormValues | null>;
}

export interface SendOptions {
  readonly meta?: FrameMeta;
  /** The budget that the handler is told of, in milliseconds; 5,000 by default. */
  readonly timeoutMillis?: number;
}

export interface InterceptOutcome<P extends PointName> {
  readonly decision: InterceptResult["decision"];
  readonly reason?: string;
  readonly replacement?: Payloads[P];
}

/** Every call rejects with the extension's error reply, if it gives one. */
export interface TestHost {
  readonly declaration: InitializeResult;
  /** What the extension logged, a line each. */
  readonly log: readonly string[];
  /** Everything that was published, oldest first. */
  readonly published: readonly PublishedSurface[];
  readonly questions: readonly AskedQuestion[];
  /** The latest state of a surface. */
  surface(surfaceId: string): PublishedSurface | undefined;
  /** Payloads over 64 KiB travel as content references, as they do with a real host. */
  intercept<P extends PointName>(point: P, payload: Payloads[P], options?: SendOptions): Promise<InterceptOutcome<P>>;
  /** Resolves when the event has been delivered; an observer's own promise is not awaited. */
  event<P extends PointName>(point: P, payload: Payloads[P], options?: SendOptions): Promise<void>;
  catalog(): Promise<readonly ProviderDescriptor[]>;
  /** Resolves when the extension has accepted the stream. */
  openStream(ref: string, request: ProviderRequest, options?: StreamOptions): Promise<TestStream>;
  callTool(name: string, args: ToolArguments, options?: SendOptions): Promise<ToolCallResult>;
  action(actionId: string, args?: ActionArguments): Promise<UIActionResult>;
  submit(surfaceId: string, values: FormValues): Promise<Infer<typeof UISubmitResult>>;
  /** Tells that contributed files changed. */
  resourcesChanged(paths: readonly string[]): Promise<void>;
  /** Runs `onShutdown` and ends the connection. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT = 5_000;
/** No call of a test waits longer, in milliseconds. */
const PATIENCE = 60_000;
const CLOSE_TIMEOUT = 5_000;

/** Starts the extension and resolves after the handshake and `onStart`; rejects if the handshake fails. */
export async function testHost(extension: Extension, options: TestHostOptions = {}): Promise<TestHost> {
  const host = new InMemoryHost(extension, options);
  await host.start();
  return host;
}

class InMemoryHost implements TestHost {
  readonly log: string[] = [];
  readonly #host: Peer;
  readonly #link: ReturnType<typeof attach>;
  readonly #session: Session;
  readonly #manifest: ManifestExpectation;
  readonly #content: TestContent;
  readonly #surfaces: TestSurfaces;
  readonly #streams: TestStreams;
  #declaration: InitializeResult | undefined;
  #isOpen = false;
  #seq = 0;

  constructor(extension: Extension, options: TestHostOptions) {
    const redact = createRedactor([]);
    const log = createLog(extension.name, (line) => void this.log.push(line.trimEnd()));
    const { left, right } = createPair(
      {
        inspect: (message) => {
          if (this.#isOpen || (message.kind !== "request" && message.kind !== "notification")) return undefined;
          return `${message.method} before extension/initialized`;
        },
      },
      {
        acceptUnaddressedErrors: true,
        describeError: describeFailure(redact),
        handlerFailed: (error, method) => log(`${method} failed: ${messageOf(error)}`, error),
      },
    );
    this.#host = left;
    this.#link = attach(right, extension, { pluginName: options.pluginName ?? extension.name, log, redact });
    this.#session = {
      sessionId: "test-session",
      workspaceRoot: "/workspace",
      generation: 1,
      uiHost: options.answer === undefined ? "headless" : "tui",
      ...options.session,
    };
    this.#manifest = options.manifest ?? { tools: Object.keys(extension.tools ?? {}) };
    this.#content = new TestContent(left);
    this.#surfaces = new TestSurfaces(left, options.answer ?? (() => null));
    this.#streams = new TestStreams(left);
  }

  get declaration(): InitializeResult {
    if (this.#declaration === undefined) throw new Error("the handshake has not been");
    return this.#declaration;
  }

  get published(): readonly PublishedSurface[] {
    return this.#surfaces.published;
  }

  get questions(): readonly AskedQuestion[] {
    return this.#surfaces.questions;
  }

  async start(): Promise<void> {
    const { uiHost, ...session } = this.#session;
    this.#declaration = await this.#call("extension/initialize", InitializeResult, {
      protocolId: PROTOCOL_ID,
      protocolVersion: PROTOCOL_VERSION,
      manifest: this.#manifest,
      session,
      capabilities: { contentRefs: true, protocolVersion: PROTOCOL_VERSION, uiHost },
    });
    this.#isOpen = true;
    this.#host.notify("extension/initialized", {});
    await this.#delivered();
    // A failure of onStart is in the log, and every handler answers with it.
    await this.#link.starting?.catch(() => undefined);
  }

  surface(surfaceId: string): PublishedSurface | undefined {
    return this.published.findLast((surface) => surface.surfaceId === surfaceId);
  }

  async intercept<P extends PointName>(
    point: P,
    payload: Payloads[P],
    { meta, timeoutMillis = DEFAULT_TIMEOUT }: SendOptions = {},
  ): Promise<InterceptOutcome<P>> {
    this.#seq += 1;
    const params = { event: point, seq: this.#seq, timeoutMillis, ...this.#content.carry(payload) };
    const result = await this.#call("extension/intercept", InterceptResult, params, withMeta(meta));
    const { decision, reason } = result;
    const outcome = reason === undefined ? { decision } : { decision, reason };
    if (decision !== "replace") return outcome;
    const replacement = this.#content.replacementIn(result);
    const schema: Schema<object> = POINTS[point].payload;
    // The compiler cannot follow a payload through its point's name; the point's own schema has checked it.
    return { ...outcome, replacement: checked(`replacement at ${point}`, schema, replacement) as Payloads[P] };
  }

  async event<P extends PointName>(point: P, payload: Payloads[P], { meta }: SendOptions = {}): Promise<void> {
    const params = { event: point, ...this.#content.carry(payload) };
    this.#host.notify("extension/event", params, withMeta(meta));
    await this.#delivered();
    await this.#content.readAll();
    await this.#delivered();
  }

  async catalog(): Promise<readonly ProviderDescriptor[]> {
    return (await this.#call("extension/provider/catalog", ProviderCatalogResult, {})).providers;
  }

  openStream(ref: string, request: ProviderRequest, options: StreamOptions = {}): Promise<TestStream> {
    return this.#streams.open(ref, request, options);
  }

  callTool(
    name: string,
    args: ToolArguments,
    { meta, timeoutMillis = DEFAULT_TIMEOUT }: SendOptions = {},
  ): Promise<ToolCallResult> {
    const params = { name, arguments: args, timeoutMillis };
    return this.#call("extension/tool/call", ToolCallResult, params, withMeta(meta));
  }

  action(actionId: string, args: ActionArguments = {}): Promise<UIActionResult> {
    const { sessionId, generation } = this.#session;
    return this.#call("extension/ui/action", UIActionResult, { actionId, sessionId, generation, args });
  }

  submit(surfaceId: string, values: FormValues): Promise<Infer<typeof UISubmitResult>> {
    const { sessionId, generation } = this.#session;
    return this.#call("extension/ui/submit", UISubmitResult, { surfaceId, sessionId, generation, values });
  }

  async resourcesChanged(paths: readonly string[]): Promise<void> {
    this.#host.notify("extension/resources/changed", { paths });
    await this.#delivered();
  }

  async close(): Promise<void> {
    await createGoodbye(this.#link)(CLOSE_TIMEOUT);
    this.#host.close();
    await this.#link.peer.closed;
  }

  async #call<T>(method: string, schema: Schema<T>, params: object, options: CallOptions = {}): Promise<T> {
    const result = await this.#host.request(method, params, { timeoutMillis: PATIENCE, ...options });
    return checked(`${method} result`, schema, result);
  }

  /** A round trip: what was sent before has been read when it is over. */
  async #delivered(): Promise<void> {
    await this.#host.request("extension/provider/catalog", {}, { timeoutMillis: PATIENCE });
  }
}

/** Strict, as a real host is: an unknown field fails the test here and not in front of a person. */
function checked<T>(what: string, schema: Schema<T>, value: unknown): T {
  const decoded = decode(schema, value);
  if (!decoded.ok) throw new TypeError(problemsText(what, decoded.problems));
  return decoded.value;
}

function withMeta(meta: FrameMeta | undefined): { readonly meta?: FrameMeta } {
  return meta === undefined ? {} : { meta };
}
