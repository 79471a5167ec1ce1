/** What a caller asks of an install, and what it gets back. */
import type { Machine } from "../machine.ts";
import type { Candidate, Verdict } from "./plan.ts";

/** Where the work is done. */
export interface Workplace {
  /** The home directory of the user; created when something is written. */
  readonly home: string;
  /** Relative sources are read from here. */
  readonly cwd: string;
  readonly machine: Machine;
  /** For what is fetched; removed again. */
  readonly temporary: string;
  readonly signal?: AbortSignal;
}

export interface InstallRequest {
  /** As typed. */
  readonly source: string;
  /** `preview` changes no byte of the home and starts no program of the plugin; `yes` writes. */
  readonly consent: "preview" | "yes";
  readonly link?: boolean;
  readonly replace?: boolean;
  /** Replaces the manifest's name, or chooses one plugin of a marketplace. */
  readonly name?: string;
}

export interface InstallReport {
  /** Without credentials. */
  readonly source: string;
  readonly actions: readonly InstallAction[];
  /** Entries of a marketplace that are not installed. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Whether anything was written. */
  readonly applied: boolean;
  /** Where a broken list of plugins was kept before it was written over; null when it was in order. */
  readonly setAside: string | null;
}

export type InstallAction = Verdict & {
  readonly candidate: Candidate;
  /** Relative to the home for a copy, absolute for a link. */
  readonly root: string;
  /** Where it is then found: absolute. */
  readonly to: string;
  readonly enabled: boolean;
  /** Names of variables that were set for what had this name before, from elsewhere: this one gets them. */
  readonly inherits: readonly string[];
};
