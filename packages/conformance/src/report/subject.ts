/** What a report is about. */
import type { Judgement } from "../referee.ts";

export interface Subject extends Judgement {
  /** As it was started: command and arguments. */
  readonly program: readonly string[];
  /** The manifest that was read, or null. */
  readonly manifest: string | null;
}
