/** What a command of the conversation works with. */
import type { Person } from "@reasonix-ts/agent";
import type { Parsed } from "../args.ts";
import type { SessionRuntime } from "../session-runtime.ts";
import type { World } from "../world.ts";
import type { Forms } from "./forms.ts";

export interface Talk {
  readonly runtime: SessionRuntime;
  readonly world: World;
  readonly parsed: Parsed;
  /** Who answers questions. */
  readonly person: Person;
  /** What extensions want filled in. */
  readonly forms: Forms;
  /** Lines for the person; controls are taken out of them here. */
  readonly say: (lines: readonly string[]) => void;
  /** Runs a turn with this text as if it had been typed. */
  readonly send: (text: string) => Promise<void>;
  /** Runs work that Ctrl-C stops. */
  readonly stoppable: <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Ends the conversation after this command. */
  readonly quit: () => void;
}

export interface TalkCommand {
  readonly name: string;
  /** What follows the name in help. */
  readonly usage: string;
  readonly summary: string;
  /** Whether it may run while a turn does. */
  readonly whileBusy: boolean;
  readonly run: (rest: string, talk: Talk) => void | Promise<void>;
}
