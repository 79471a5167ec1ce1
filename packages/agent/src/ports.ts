/** What the world must give the agent. Read this first: everything else here works over these ports. */
import type { AgentEvent, Question } from "@reasonix-ts/events";
import type {
  Chunk,
  Message,
  Payloads,
  PointName,
  ProviderDescriptor,
  ProviderRequest,
  Reason,
  ToolCallResult,
  Usage,
} from "@reasonix-ts/protocol";

// ---------------------------------------------------------------------------------------------- extensions

/** Who asks at a point, and about what; goes into the frame's `_meta` and picks `tool:` and `provider:` owners. */
export interface Scope {
  /** The tool call's id, the same at tool.before, permission.decision and tool.after. */
  readonly callId?: string;
  /** `main` or the sub-agent's name. */
  readonly agent?: string;
  /** The stored session's id. */
  readonly sessionId?: string;
  /** The model's ref at provider points. */
  readonly modelRef?: string;
  /** At permission.decision, the host's verdict in words (`ask`, `deny by rule bash(rm*)`), for the audit log. */
  readonly verdict?: string;
  readonly signal?: AbortSignal;
}

/** What came of a point: the chain first, then the slot's owner. */
export type Ruling<P extends PointName> =
  | {
      readonly kind: "proceed";
      readonly payload: Payloads[P];
      /** Plugins that changed the payload, in order. */
      readonly changedBy: readonly string[];
      /** At permission.decision: the last word of the extensions, absent when none ruled. */
      readonly permission?: {
        readonly decision: "allow" | "deny";
        readonly plugin: string;
        readonly reason: string;
        /** An `allow` over a deny or an ask: audited by the host, to be shown by the agent. */
        readonly overruled: boolean;
      };
    }
  /** An extension said no; `reason` is redacted and free of control characters. */
  | { readonly kind: "blocked"; readonly plugin: string; readonly reason: string }
  /** An owner or a required extension failed, or a guard's answer was not understood: the operation fails. */
  | { readonly kind: "failed"; readonly plugin: string; readonly reason: Reason; readonly message: string };

/** A tool that an extension serves. */
export interface ExtensionTool {
  readonly plugin: string;
  /** The name in the manifest; models see `ext__<plugin>__<name>`. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly readOnly: boolean;
  /** True when the plugin owns `tool:<name>`: it then serves that tool in the built-in's place. */
  readonly replacesBuiltIn: boolean;
}

/** One generation of extensions, pinned by a turn from its first point to its last. */
export interface ExtensionLease {
  readonly generation: number;
  /** Whether anybody intercepts, owns or observes a point: the agent builds no payload for points that nobody wants. */
  wants(point: PointName): boolean;
  /** Runs a point: chain, owner, then the event to every subscriber. Never rejects but with the caller's abort. */
  rule<P extends PointName>(point: P, payload: Payloads[P], scope: Scope): Promise<Ruling<P>>;
  readonly tools: readonly ExtensionTool[];
  callTool(
    plugin: string,
    name: string,
    args: { readonly [key: string]: unknown },
    options: { readonly signal?: AbortSignal; readonly callId?: string },
  ): Promise<ToolCallResult>;
  /** Models that extensions offer in this generation. */
  readonly models: readonly ProviderDescriptor[];
  /** Opens a stream; the iteration throws a `ModelFailure`-shaped error when it ends badly. */
  stream(
    ref: string,
    request: ProviderRequest,
    options: { readonly effort?: string; readonly signal?: AbortSignal },
  ): AsyncIterable<readonly Chunk[]>;
  /** The `plugin/<own>/<ref>` that the owner of `provider:<ref>` serves in the place of `<ref>`, or null. */
  providerFor(ref: string): string | null;
  /** Unpins the generation; an old one retires with its last lease. */
  release(): void;
}

/** The extensions port: null where no extension is installed, so that nothing is paid for. */
export interface Extensions {
  /** Pins the live generation. */
  lease(): ExtensionLease;
}

// ---------------------------------------------------------------------------------------------- models

/** Blocks in a provider's own form, kept in the transcript and given back to that provider unchanged. */
export interface NativeBlocks {
  readonly provider: string;
  readonly blocks: readonly unknown[];
}

/** A message as the transcript keeps it; `native` never reaches an extension. */
export type StoredMessage = Message & { readonly native?: NativeBlocks };

export interface ModelRequest extends Omit<ProviderRequest, "messages"> {
  readonly messages: readonly StoredMessage[];
}

/** What a model's stream yields: the contract's chunks, and at the end of an answer its native blocks. */
export type ModelChunk = Chunk | { readonly type: "native"; readonly native: NativeBlocks };

export interface Model {
  readonly ref: string;
  readonly descriptor: ProviderDescriptor;
  /** Yields chunks in batches as they arrive; throws `ModelFailure`. */
  stream(
    request: ModelRequest,
    options: { readonly effort?: string; readonly signal?: AbortSignal; readonly sessionId?: string },
  ): AsyncIterable<readonly ModelChunk[]>;
}

/** Finds a model by its ref; an unknown one is an unavailable model that fails its turn, never a crash. */
export interface Models {
  resolve(ref: string, lease: ExtensionLease | null): Model;
  list(lease: ExtensionLease | null): readonly ProviderDescriptor[];
}

// ---------------------------------------------------------------------------------------------- people

export type Answer =
  | { readonly kind: "answered"; readonly values: { readonly [key: string]: unknown } }
  | { readonly kind: "cancelled" };

export type PermissionAnswer = "once" | "session" | "always" | "no";

/** The frontend, seen from the agent: events out, answers in. */
export interface Person {
  /** Whether somebody can answer; when false, nothing waits. */
  readonly present: boolean;
  ask(
    request: { readonly title?: string; readonly message?: string; readonly questions: readonly Question[] },
    options: { readonly signal?: AbortSignal },
  ): Promise<Answer>;
  askPermission(
    request: { readonly tool: string; readonly summary: string; readonly why: string; readonly rule?: string },
    options: { readonly signal?: AbortSignal },
  ): Promise<PermissionAnswer>;
}

export type Emit = (event: AgentEvent) => void;

// ---------------------------------------------------------------------------------------------- clock

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(millis: number, options: { readonly signal?: AbortSignal }): Promise<void>;
}

export type { Usage };
