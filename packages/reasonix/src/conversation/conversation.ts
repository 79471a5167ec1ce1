/** A conversation, line by line: turns, commands, what is typed meanwhile, and how it ends. */
import type { Person } from "@reasonix-ts/agent";
import type { Parsed } from "../args.ts";
import type { SessionRuntime } from "../session-runtime.ts";
import { EXIT, type World } from "../world.ts";
import { columnsOf, wrapLines } from "../wrap.ts";
import { redactSecrets, stripControls } from "@reasonix-ts/text";
import { readLine, type TypedLine } from "./commands.ts";
import { runPluginWord } from "./plugin-words.ts";
import type { Forms } from "./forms.ts";
import type { Talk } from "./talk.ts";
import type { Terminal } from "./terminal.ts";

export interface ConversationParts {
  readonly terminal: Terminal;
  readonly runtime: SessionRuntime;
  readonly world: World;
  readonly parsed: Parsed;
  readonly person: Person;
  readonly forms: Forms;
  /** Keeps what was typed for the up-arrow of later conversations. */
  readonly remember: (message: string) => Promise<void>;
  /** Leaves at once, whatever still runs. */
  readonly leave: () => void;
}

/** At most this many messages wait for the end of a turn; more would be forgotten what they were about. */
const WAITING_MESSAGES = 20;

export class Conversation implements Talk {
  readonly runtime: SessionRuntime;
  readonly world: World;
  readonly parsed: Parsed;
  readonly person: Person;
  readonly forms: Forms;
  readonly #terminal: Terminal;
  readonly #remember: (message: string) => Promise<void>;
  readonly #leave: () => void;
  /** What runs now and can be stopped. */
  #stop: AbortController | null = null;
  #work: Promise<void> = Promise.resolve();
  #busy = false;
  readonly #waiting: TypedLine[] = [];
  #exitCode: number = EXIT.done;
  #leaving = false;
  /** Ctrl-C was pressed once between turns. */
  #warned = false;

  readonly say = (lines: readonly string[]): void => {
    this.#terminal.say(
      wrapLines(
        lines.flatMap((line) => stripControls(line).split("\n")),
        columnsOf(this.world.stdout),
      ),
    );
  };

  readonly quit = (): void => {
    this.#leaving = true;
  };

  readonly send = async (text: string): Promise<void> => {
    await this.stoppable((signal) => this.runtime.turn(text, { signal }));
  };

  readonly stoppable = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const stop = new AbortController();
    this.#stop = stop;
    try {
      return await work(stop.signal);
    } finally {
      this.#stop = null;
    }
  };

  constructor(parts: ConversationParts) {
    this.runtime = parts.runtime;
    this.world = parts.world;
    this.parsed = parts.parsed;
    this.person = parts.person;
    this.forms = parts.forms;
    this.#terminal = parts.terminal;
    this.#remember = parts.remember;
    this.#leave = parts.leave;
  }

  /** Settles with the exit code when the person leaves or nothing more can be typed. */
  async run(): Promise<number> {
    for (;;) {
      this.#terminal.idle(!this.#busy);
      const line = await this.#terminal.next();
      if (line === null || this.#leaving) break;
      this.#warned = false;
      await this.#take(line);
      if (this.#leaving) break;
    }
    this.#leaving = true;
    this.#stop?.abort(new Error("the conversation was left"));
    await this.#work;
    return this.#exitCode;
  }

  /** Ctrl-C: once stops what runs, twice leaves. */
  interrupt(): void {
    if (this.#leaving) {
      this.#leave();
      return;
    }
    if (this.#stop !== null) {
      if (this.#stop.signal.aborted) {
        this.#leave();
        return;
      }
      this.say(["Stopping; what came so far is kept. Ctrl-C again leaves at once."]);
      this.#waiting.length = 0;
      this.#stop.abort(new Error("interrupted"));
      return;
    }
    if (this.#warned || (!this.#terminal.live && this.world.stdin.isTTY !== true)) {
      this.end(EXIT.interrupted);
      return;
    }
    this.#warned = true;
    this.say(["Ctrl-C again leaves; so do Ctrl-D and /quit."]);
    this.#terminal.breakLine();
  }

  /** Ends the conversation in good order. */
  end(exitCode: number): void {
    this.#exitCode = exitCode;
    this.#leaving = true;
    this.#stop?.abort(new Error("the conversation was left"));
    this.#terminal.close();
  }

  async #take(line: string): Promise<void> {
    const typed = readLine(line);
    if (typed.kind === "nothing") return;
    await this.#remembered(line);
    if (!this.#busy) {
      const work = this.#start(typed);
      // Where nothing can be typed meanwhile, the next line waits for this one.
      if (!this.#terminal.live || (typed.kind === "command" && typed.command.whileBusy)) await work;
      return;
    }
    if (typed.kind === "command" && typed.command.whileBusy) {
      await this.#attempt(typed);
    } else if (typed.kind === "unknown") {
      this.#tellUnknown(typed);
    } else if (typed.kind === "command") {
      this.say([`/${typed.command.name} waits for nobody: try it again when the turn is over.`]);
    } else if (this.#waiting.length >= WAITING_MESSAGES) {
      this.say(["Too many messages wait already; this one was not kept."]);
    } else {
      this.#waiting.push(typed);
      this.say(["That is sent when the turn is over."]);
    }
  }

  /** Runs a line, and then what was typed meanwhile. */
  #start(typed: TypedLine): Promise<void> {
    this.#busy = true;
    this.#terminal.idle(false);
    this.#work = this.#runAll(typed);
    return this.#work;
  }

  async #runAll(first: TypedLine): Promise<void> {
    for (let typed: TypedLine | undefined = first; typed !== undefined; typed = this.#waiting.shift()) {
      if (typed !== first && typed.kind === "message") this.say([`> ${typed.text}`]);
      await this.#attempt(typed);
      if (this.#leaving) break;
    }
    this.#busy = false;
    if (!this.#leaving) this.#terminal.idle(true);
  }

  /** A command that fails is told; the conversation goes on. */
  async #attempt(typed: TypedLine): Promise<void> {
    try {
      switch (typed.kind) {
        case "nothing":
          return;
        case "message":
          return await this.send(typed.text);
        case "command":
          return await typed.command.run(typed.rest, this);
        case "plugin":
          return await runPluginWord(typed.word, this);
        case "unknown":
          return this.#tellUnknown(typed);
      }
    } catch (error) {
      this.say([redactSecrets(error instanceof Error ? error.message : String(error))]);
    }
  }

  #tellUnknown({ word, near }: Extract<TypedLine, { kind: "unknown" }>): void {
    this.say([`There is no /${word}.${near === null ? "" : ` Did you mean /${near}?`} /help lists the commands.`]);
  }

  async #remembered(line: string): Promise<void> {
    try {
      await this.#remember(line);
    } catch (error) {
      this.say([`What you type is not kept for later: ${error instanceof Error ? error.message : String(error)}`]);
    }
  }
}
