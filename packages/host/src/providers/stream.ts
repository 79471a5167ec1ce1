/** One running stream: chunks in, batches in their order out, and an end for every way in which it can end. */
import { DEADLINES, problemsText, type Chunk, type Problem, type Reason, type Usage } from "@reasonix-ts/protocol";
import type { StreamChunkParams, StreamEndParams } from "@reasonix-ts/protocol";
import type { Clock } from "@reasonix-ts/rpc";
import { formatBytes, formatMillis, oneLine } from "@reasonix-ts/text";
import type { Sidecar } from "../sidecar.ts";
import { Assembler, sizeOf } from "./assembler.ts";
import { BackPressure } from "./back-pressure.ts";
import { StreamFailure, type StreamFailureKind } from "./failure.ts";

export interface StreamParts {
  readonly sidecar: Sidecar;
  readonly streamId: string;
  /** The model's ref. */
  readonly ref: string;
  readonly epoch: string;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** Called once, when nothing more is taken in; `byPeer` when the sidecar ended it, so that nothing has to be cancelled. */
  readonly over: (stream: ProviderStream, byPeer: boolean) => void;
}

type Outcome = { readonly kind: "ended" } | { readonly kind: "failed"; readonly failure: StreamFailure };

export class ProviderStream {
  readonly sidecar: Sidecar;
  readonly streamId: string;
  readonly #parts: StreamParts;
  readonly #assembler = new Assembler();
  readonly #pressure: BackPressure;
  #queue: Chunk[] = [];
  /** Told with the end, so that the last one counts. */
  #usage: Usage | null = null;
  #done: Chunk | null = null;
  #outcome: Outcome | null = null;
  #wake: (() => void) | null = null;
  #heardAt: number;
  #gapAt: number | null = null;
  #cancelSilence: () => void;
  #cancelGap: (() => void) | null = null;
  #cancelDone: (() => void) | null = null;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.sidecar = parts.sidecar;
    this.streamId = parts.streamId;
    this.#pressure = new BackPressure(parts.sidecar.peer, parts.clock);
    this.#heardAt = parts.clock.now();
    this.#cancelSilence = parts.clock.after(DEADLINES.streamSilence, () => this.#silent());
  }

  /** The next chunks in their order; null at the good end. Throws the StreamFailure once all that came before is taken. */
  async take(): Promise<readonly Chunk[] | null> {
    while (this.#queue.length === 0) {
      if (this.#outcome?.kind === "failed") throw this.#outcome.failure;
      if (this.#outcome !== null) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const batch = this.#queue;
    this.#queue = [];
    this.#heardAt = this.#parts.clock.now();
    this.#pressure.emptied();
    return batch;
  }

  receive({ seq, chunk, generation, epoch }: StreamChunkParams): void {
    if (this.#outcome !== null || this.#isStale(generation, epoch) || this.#isStale(chunk.generation, chunk.epoch))
      return;
    const problem = missingMember(chunk);
    if (problem !== null) return this.refuse([problem]);
    const before = this.#queue.length;
    // The clock is read once a batch: while there is something to take nobody asks when it came.
    if (before === 0) this.#heardAt = this.#parts.clock.now();
    const overflow = this.#assembler.push(seq, chunk, this.#queue);
    if (this.#queue.length > before) this.#sort(before);
    if (overflow !== null) {
      const { missing, chunks, bytes } = overflow;
      return this.#interrupt(
        "stream_gap",
        `chunk ${missing} never came, and ${chunks} chunks (${formatBytes(bytes)}) behind it are more than may wait`,
      );
    }
    this.#advance();
  }

  end({ lastSeq, interrupted = false, error }: StreamEndParams): void {
    if (this.#outcome !== null) return;
    const wrong = this.#assembler.end(lastSeq);
    if (wrong !== null)
      return this.#fail(
        "failed",
        "provider_failed",
        `its end names chunk ${wrong.lastSeq} as the last one, after chunk ${wrong.already}`,
      );
    if (interrupted || error !== undefined) {
      const why = error === undefined || error === "" ? "the provider broke off" : this.#shown(error);
      const kind = interrupted ? "interrupted" : "failed";
      return this.#fail(kind, interrupted ? "provider_interrupted" : "provider_failed", why, true);
    }
    this.#advance();
  }

  /** A chunk or an end came that is not of the contract's shape. */
  refuse(problems: readonly Problem[]): void {
    this.#fail("failed", "provider_failed", `what came is no ${problemsText("StreamChunkParams", problems)}`);
  }

  /** The sidecar is gone. */
  crashed(message: string): void {
    this.#settle(
      { kind: "failed", failure: this.failure("interrupted", "provider_interrupted", message, false) },
      true,
    );
  }

  /** The caller wants no more of it; what waits is dropped. */
  cancel(cause: unknown): void {
    if (this.#outcome !== null) return;
    this.#queue = [];
    this.#usage = null;
    const failure = this.failure(
      "cancelled",
      "stream_cancelled",
      `The request to ${this.#parts.ref} was cancelled.`,
      false,
      cause,
    );
    this.#settle({ kind: "failed", failure }, false);
  }

  /** Ends it because it could not be opened. */
  notOpened(failure: StreamFailure, byPeer: boolean): void {
    this.#settle({ kind: "failed", failure }, byPeer);
  }

  failure(
    kind: StreamFailureKind,
    reason: Reason,
    message: string,
    retryable?: boolean,
    cause?: unknown,
  ): StreamFailure {
    const { sidecar, ref } = this.#parts;
    const facts = { kind, reason, plugin: sidecar.spec.plugin, providerRef: ref, message };
    return new StreamFailure({ ...facts, ...(retryable === undefined ? {} : { retryable }) }, { cause });
  }

  #isStale(generation: number | undefined, epoch: string | undefined): boolean {
    if (generation !== undefined && generation !== this.sidecar.generation) return true;
    return epoch !== undefined && epoch !== this.#parts.epoch;
  }

  /** Looks at what is new in the queue: content stays, the rest is what this side acts upon. */
  #sort(from: number): void {
    let bytes = 0;
    for (let index = from; index < this.#queue.length;) {
      const chunk = this.#queue[index];
      if (chunk === undefined) break;
      if (chunk.type === "error") {
        this.#queue.length = index;
        return this.#reported(chunk);
      }
      if (chunk.type === "usage" || chunk.type === "done") {
        this.#queue.splice(index, 1);
        this.#usage = chunk.usage ?? this.#usage;
        if (chunk.type === "done") this.#finish(chunk);
      } else {
        bytes += sizeOf(chunk);
        index += 1;
      }
    }
    if (bytes === 0) return;
    this.#pressure.added(bytes);
    this.#wakeUp();
  }

  #reported({ error: { code, message } = { code: "provider_failed", message: "" } }: Chunk): void {
    const why = message === "" ? "the provider reported an error" : this.#shown(message);
    this.#fail(code === "provider_failed" ? "failed" : "interrupted", code, why);
  }

  /** `done` is told with the end: until then the stream may still turn out to be broken. */
  #finish({ usage: _told, ...done }: Chunk): void {
    this.#done ??= done;
    this.#cancelDone ??= this.#parts.clock.after(DEADLINES.streamEndAfterDone, () =>
      this.#interrupt(
        "provider_interrupted",
        `no extension/provider/stream/end came within ${formatMillis(DEADLINES.streamEndAfterDone)} after "done"`,
      ),
    );
  }

  /** Looks at where the stream stands after a frame: whole, with a hole, or going on. */
  #advance(): void {
    if (this.#outcome !== null) return;
    if (this.#assembler.complete) return this.#settle({ kind: "ended" }, true);
    const { missing, ended } = this.#assembler;
    // While the hole is the same one its time runs on, and only the end can shorten it.
    if (missing === this.#gapAt && !(ended && missing !== null)) return;
    this.#gapAt = missing;
    this.#cancelGap?.();
    this.#cancelGap = null;
    if (missing === null) return;
    const wait = ended ? DEADLINES.streamGapAfterEnd : DEADLINES.streamGapBeforeEnd;
    this.#cancelGap = this.#parts.clock.after(wait, () =>
      this.#interrupt("stream_gap", `chunk ${missing} never came (waited ${formatMillis(wait)})`),
    );
  }

  #silent(): void {
    const { clock } = this.#parts;
    // A sidecar that is not read cannot be heard, and what waits to be taken is no silence.
    if (this.#pressure.holds || this.#queue.length > 0) this.#heardAt = clock.now();
    const left = this.#heardAt + DEADLINES.streamSilence - clock.now();
    if (left > 0) {
      this.#cancelSilence = clock.after(left, () => this.#silent());
      return;
    }
    this.#interrupt("provider_interrupted", `it sent nothing for ${formatMillis(DEADLINES.streamSilence)}`);
  }

  #interrupt(reason: Reason, why: string): void {
    this.#fail("interrupted", reason, why);
  }

  #fail(kind: "failed" | "interrupted", reason: Reason, why: string, byPeer = false): void {
    const { sidecar, ref, redact } = this.#parts;
    const what = kind === "failed" ? "failed" : "broke off";
    const message = redact(`The stream of plugin "${sidecar.spec.plugin}" (${ref}) ${what}: ${why} (${reason}).`);
    this.#settle({ kind: "failed", failure: this.failure(kind, reason, message) }, byPeer);
  }

  #shown(text: string): string {
    return oneLine(this.#parts.redact(text)).replace(/[.\s]+$/, "");
  }

  #settle(outcome: Outcome, byPeer: boolean): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    if (this.#usage !== null) this.#queue.push({ type: "usage", usage: this.#usage });
    if (outcome.kind === "ended" && this.#done !== null) this.#queue.push(this.#done);
    this.#cancelSilence();
    this.#cancelGap?.();
    this.#cancelDone?.();
    this.#pressure.emptied();
    this.#wakeUp();
    this.#parts.over(this, byPeer);
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

/** What a chunk of its type must hold, beyond the shape that all types share. */
function missingMember(chunk: Chunk): Problem | null {
  switch (chunk.type) {
    case "tool_call":
      return chunk.toolCall === undefined ? missing("toolCall") : null;
    case "usage":
      return chunk.usage === undefined ? missing("usage") : null;
    case "error":
      return chunk.error === undefined ? missing("error") : null;
    default:
      return null;
  }
}

function missing(member: string): Problem {
  return { kind: "missing", path: `/chunk/${member}`, expected: "an object" };
}
