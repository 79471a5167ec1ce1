/** One run of the program under judgement, with the referee as its host: writes literal frames, hears every byte. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { LIMITS, PROTOCOL_ID, PROTOCOL_VERSION, wireError } from "@reasonix-ts/protocol";
import { Finding, lastLines, show, type FindingFacts } from "../finding.ts";
import { isJsonObject, readFrame, type Frame, type JsonObject } from "../wire/frame.ts";
import { LineCutter, type Line } from "../wire/lines.ts";
import { describeEnding, startProgram, type Ending, type Program, type RunningProgram } from "../wire/program.ts";
import { Answers, type Answer } from "./answers.ts";
import { Bell } from "./bell.ts";
import type { Content } from "./contents.ts";
import { manifestParams, type Expectation } from "./expectation.ts";
import { hostReply } from "./host-reply.ts";
import { judgeCall, type Fault, type Standing } from "./inbound.ts";
import { Streams } from "./streams.ts";

export interface PlayOptions {
  readonly program: Program;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly expectation: Expectation;
  /** A secret in its environment, which must never come out of it. */
  readonly secret: string;
}

export const GENERATION = 7;

export class Play {
  readonly sessionId = `conformance-${randomUUID()}`;
  readonly streams = new Streams();
  /** Lines that ended with CR LF. */
  crlfLines = 0;
  readonly #options: PlayOptions;
  readonly #program: RunningProgram;
  readonly #answers = new Answers();
  readonly #contents = new Map<string, Content>();
  readonly #faults: FindingFacts[] = [];
  readonly #bell = new Bell();
  readonly #cutter = new LineCutter(LIMITS.frameBytes, (line) => this.#hear(line));
  #open = false;
  #inputOpen = true;
  #ending: Ending | null = null;
  /** It has ended, and its last words have come. */
  #heardOut = false;
  #unstarted: Error | null = null;
  #heardBytes = 0;
  /** What ended the connection, as it would for a host. */
  #fatal: FindingFacts | null = null;
  #after: string | null = null;

  constructor(options: PlayOptions) {
    this.#options = options;
    const environment = { ...options.environment, REASONIX_CONFORMANCE_API_KEY: options.secret };
    this.#program = startProgram(options.program, environment, randomUUID(), (bytes) => {
      this.#heardBytes += bytes.length;
      this.#cutter.push(bytes);
      this.#bell.ring();
    });
    void this.#program.heard.then(() => {
      this.#heardOut = true;
      this.#bell.ring();
    });
    this.#program.ended.then(
      (ending) => {
        this.#ending = ending;
        this.#bell.ring();
      },
      (error: unknown) => {
        this.#unstarted = error instanceof Error ? error : new Error(String(error));
        this.#bell.ring();
      },
    );
  }

  /** Broken rules that no single answer shows, such as a stray line on stdout; in order. */
  get faults(): readonly FindingFacts[] {
    return this.#faults;
  }

  get heardBytes(): number {
    return this.#heardBytes;
  }

  get ending(): Ending | null {
    return this.#ending;
  }

  /** Params of extension/initialize; `changes` are laid over them. */
  initializeParams(changes: JsonObject = {}): JsonObject {
    return {
      protocolId: PROTOCOL_ID,
      protocolVersion: PROTOCOL_VERSION,
      manifest: manifestParams(this.#options.expectation),
      session: { sessionId: this.sessionId, workspaceRoot: this.#options.program.cwd, generation: GENERATION },
      capabilities: { contentRefs: true, protocolVersion: PROTOCOL_VERSION, uiHost: "headless" },
      ...changes,
    };
  }

  /** Says for the report what is being tried, where the next frame does not show it. */
  trying(what: string): void {
    this.#after = what;
  }

  /** Opens the barrier. */
  openBarrier(): void {
    this.#open = true;
    this.notify("extension/initialized", {});
  }

  write(bytes: Buffer | string): void {
    this.#program.write(bytes);
  }

  /** Makes the text of a request, without a line end, and expects its answer. */
  prepare(method: string, params: JsonObject, extra: JsonObject = {}, id?: number): { id: number; text: string } {
    return this.#answers.prepare(method, params, extra, id);
  }

  send(method: string, params: JsonObject, extra: JsonObject = {}): number {
    const { id, text } = this.prepare(method, params, extra);
    this.write(`${text}\n`);
    return id;
  }

  notify(method: string, params: JsonObject): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  /** Waits for the answer to a request; a silence or an end is a Finding. */
  async answer(id: number, millis: number): Promise<Answer> {
    const come = (): Answer | null => this.#answers.answer(id);
    await this.until(() => come() !== null, millis, "an answer", this.#answers.sent(id));
    const answer = come();
    if (answer === null) throw new Error("an answer came and went");
    return answer;
  }

  async call(method: string, params: JsonObject, millis: number): Promise<Answer> {
    return this.answer(this.send(method, params), millis);
  }

  /** Lets come what it had written before; to be called when a check is over. */
  async settle(millis: number): Promise<void> {
    if (!this.#open || !this.#inputOpen || this.#ending !== null) return;
    const id = this.send("extension/x-conformance", {});
    const end = performance.now() + millis;
    while (this.#answers.answer(id) === null && this.#ending === null && this.#fatal === null) {
      const left = end - performance.now();
      if (left <= 0) return;
      await this.#bell.heard(left);
    }
  }

  offer(content: Content): void {
    this.#contents.set(content.field.contentRef, content);
  }

  read(on: boolean): void {
    this.#program.read(on);
  }

  closeInput(): void {
    this.#inputOpen = false;
    this.#program.closeInput();
  }

  alive(): readonly number[] {
    return this.#program.alive();
  }

  /** Waits until a condition holds; rejects with a Finding when time is up or the program ended. */
  async until(condition: () => boolean, millis: number, wanted: string, sent?: string): Promise<void> {
    const end = performance.now() + millis;
    const about = sent === undefined ? {} : { sent: show(sent) };
    while (!condition()) {
      if (this.#unstarted !== null)
        throw new Finding({ what: this.#unstarted.message, wanted: "a program that starts" });
      if (this.#fatal !== null) throw new Finding(this.#fatal);
      if (this.#ending !== null && this.#heardOut) throw this.#endedEarly(this.#ending, wanted, about);
      const left = end - performance.now();
      if (left <= 0) throw this.finding({ what: `nothing came within ${millis} ms`, wanted, ...about });
      await this.#bell.heard(left);
    }
  }

  /** Waits for the end of the process. */
  async end(millis: number, wanted: string): Promise<Ending> {
    const deadline = performance.now() + millis;
    while (this.#ending === null) {
      const left = deadline - performance.now();
      if (left <= 0) throw this.finding({ what: `the process still runs after ${millis} ms`, wanted });
      await this.#bell.heard(left);
    }
    return this.#ending;
  }

  /** Lets time pass in which nothing is expected. */
  async idle(millis: number): Promise<void> {
    await delay(millis);
  }

  finding(facts: FindingFacts): Finding {
    const stderr = this.#program.stderr();
    return new Finding({
      ...(this.#after === null ? {} : { after: this.#after }),
      ...facts,
      ...(stderr.trim() === "" ? {} : { stderr: lastLines(stderr) }),
    });
  }

  /** Kills the program with everything it started. */
  close(): void {
    this.#program.kill();
  }

  #endedEarly(ending: Ending, wanted: string, about: { readonly sent?: string }): Finding {
    const rest = this.#cutter.rest();
    const half = rest === "" ? {} : { got: `half a frame: ${show(rest)}` };
    return this.finding({ what: `the program ended with ${describeEnding(ending)}`, wanted, ...half, ...about });
  }

  #break(what: string, wanted: string, got: string): void {
    this.#fault(what, wanted, got);
    this.#fatal ??= this.#faults.at(-1) ?? null;
  }

  #fault(what: string, wanted: string, got?: string): void {
    this.#faults.push(this.finding({ what, wanted, ...(got === undefined ? {} : { got: show(got) }) }).facts);
  }

  #hear(line: Line): void {
    if (line.kind === "oversize")
      return this.#break(
        `a frame of at least ${line.size} bytes came`,
        `at most ${LIMITS.frameBytes}`,
        line.head.toString(),
      );
    const reading = readFrame(line.bytes);
    if (reading.kind === "blank") return;
    const text = line.bytes.toString("utf8");
    if (text.includes(this.#options.secret))
      this.#fault("a secret of the environment came out on stdout", "credentials never leave the sidecar");
    if (reading.kind === "broken") return this.#break(`${reading.what} came on stdout`, reading.wanted, text);
    if (line.ending === "crlf") this.crlfLines += 1;
    const { frame } = reading;
    if (frame.kind === "result" || frame.kind === "error") this.#note(this.#answers.settle(frame), text);
    else this.#serve(frame, text);
  }

  #serve(frame: Extract<Frame, { readonly kind: "request" | "notification" }>, text: string): void {
    const fault = judgeCall(frame, this.#standing());
    this.#note(fault, text);
    if (frame.kind === "request") {
      const reply =
        fault === null
          ? hostReply(frame.method, frame.params, this.#contents)
          : { error: wireError("invalid_params", fault.what) };
      this.write(`${JSON.stringify({ jsonrpc: "2.0", id: frame.id, ...reply })}\n`);
      return;
    }
    if (fault === null && isJsonObject(frame.params)) this.#note(this.streams.note(frame.method, frame.params), text);
  }

  #note(fault: Fault | null, text: string): void {
    if (fault !== null) this.#fault(fault.what, fault.wanted, text);
  }

  #standing(): Standing {
    const { capabilities } = this.#options.expectation;
    return { open: this.#open, sessionId: this.sessionId, generation: GENERATION, capabilities };
  }
}
