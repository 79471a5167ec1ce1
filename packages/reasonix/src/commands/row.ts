/** What a row of the tables of commands and verbs says. */
import type { OptionTable, Parsed } from "../args.ts";
import type { World } from "../world.ts";

type Run = (parsed: Parsed, world: World) => Promise<number>;

export interface CommandRow {
  readonly name: string;
  /** What follows the name in help. */
  readonly usage: string;
  readonly summary: string;
  readonly options: OptionTable;
  /** Where its first word chooses what it does, each with options of its own. */
  readonly verbs?: () => Promise<readonly VerbRow[]>;
  /** Loads the command's code: nothing else of it is loaded before. */
  readonly load: () => Promise<Run>;
}

/** One thing that a command with verbs does. */
export interface VerbRow {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What may follow the name, one form each. */
  readonly usages: readonly string[];
  readonly summary: string;
  readonly options: OptionTable;
}
