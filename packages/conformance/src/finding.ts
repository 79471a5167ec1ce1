/** What a check found wrong: what came, what was wanted, and the frames between which it happened. */

export interface FindingFacts {
  /** One sentence on what went wrong. */
  readonly what: string;
  readonly wanted: string;
  /** What came, if anything did. */
  readonly got?: string;
  /** The frame that this is the answer to. */
  readonly sent?: string;
  /** The end of the program's stderr, when it may say why. */
  readonly stderr?: string;
}

export class Finding extends Error {
  readonly facts: FindingFacts;

  constructor(facts: FindingFacts) {
    super(facts.what);
    this.name = "Finding";
    this.facts = facts;
  }
}

const SHOWN = 400;
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

/** A frame or value as one line, its end left out when it is long, control characters escaped. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const line = text.slice(0, SHOWN).replace(CONTROLS, escapeControl);
  return text.length > SHOWN ? `${line}… (${text.length} characters)` : line;
}

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
