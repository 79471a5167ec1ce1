/** Limits that protect people: steps of a turn, the same call again and again, money. */

export interface Limits {
  /** Requests to the model in one turn. */
  readonly maxSteps: number;
  /** How often in a row the same call may bring the same result before it is refused. */
  readonly maxRepeats: number;
  /** What a session may cost, in the model's currency; null without bound. */
  readonly maxCost: number | null;
  /** How long an interrupted tool may take to come to an end, in milliseconds; after that the turn ends without it. */
  readonly interruptionMillis: number;
}

export const DEFAULT_LIMITS: Limits = { maxSteps: 200, maxRepeats: 3, maxCost: null, interruptionMillis: 10_000 };

export type RepeatRuling = "run" | "refuse" | "stop";

/** Sees the calls of one turn and tells when the same one only brings the same again. */
export class RepeatWatch {
  readonly #maxRepeats: number;
  #key = "";
  #result = "";
  #times = 0;

  constructor(maxRepeats: number) {
    this.#maxRepeats = maxRepeats;
  }

  /** `refuse` after `maxRepeats` equal calls with equal results in a row, `stop` when refusing did not help either. */
  before(name: string, args: string): RepeatRuling {
    if (`${name}\n${args}` !== this.#key || this.#times < this.#maxRepeats) return "run";
    return this.#times < 2 * this.#maxRepeats ? "refuse" : "stop";
  }

  /** A refused call counts as one more that brought the same. */
  after(name: string, args: string, result: string, wasRefused: boolean): void {
    const key = `${name}\n${args}`;
    if (key === this.#key && (wasRefused || result === this.#result)) {
      this.#times++;
      return;
    }
    this.#key = key;
    this.#result = result;
    this.#times = 1;
  }
}
