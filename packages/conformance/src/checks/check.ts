/** What a check is: one rule of the contract, tried on a fresh process. */
import type { InitializeResult, PointName } from "@reasonix-ts/protocol";
import type { Finding } from "../finding.ts";
import type { Expectation, ToolDeclaration } from "../play/expectation.ts";
import type { Play } from "../play/play.ts";

/** What is known of the program once it has answered its first handshake. */
export interface Facts {
  readonly expectation: Expectation;
  readonly declaration: InitializeResult;
  /** Points at which it is intercepted, its slots' included. */
  readonly points: readonly PointName[];
  readonly providers: readonly string[];
  readonly actions: readonly string[];
  readonly tools: readonly ToolDeclaration[];
}

/** Where a check plays; every process that it starts is ended, and its faults are counted, when the check is over. */
export interface Arena {
  readonly facts: Facts;
  /** A fresh process that has been told nothing. */
  start(): Play;
  /** A fresh process behind the barrier. */
  ready(): Promise<Play>;
  /** `millis`, or what the command line says instead. */
  within(millis: number): number;
}

export interface Check {
  readonly id: string;
  /** A sentence that is true of a sidecar that passes. */
  readonly title: string;
  /** `must`: a host fails or ends the sidecar otherwise. `should`: it works, and something is lost. */
  readonly level: "must" | "should";
  /** Requirement ids. */
  readonly cites: readonly string[];
  /** Why it does not apply, or null. */
  readonly unless?: (facts: Facts) => string | null;
  /** Throws a Finding. May return a remark for the report. */
  readonly run: (arena: Arena) => Promise<string | void>;
}

export type Outcome =
  | { readonly kind: "passed"; readonly remark: string | null }
  | { readonly kind: "failed"; readonly finding: Finding["facts"] }
  | { readonly kind: "skipped"; readonly why: string };

export interface Verdict {
  readonly check: Pick<Check, "id" | "title" | "level" | "cites">;
  readonly outcome: Outcome;
  readonly millis: number;
}
