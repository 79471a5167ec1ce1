/** What a check found wrong: what came, what was wanted, and the frames between which it happened. */

export interface FindingFacts {
  /** One sentence on what went wrong. */
  readonly what: string;
  readonly wanted: string;
  /** What came, if anything did. */
  readonly got?: string;
  /** What the referee had done before, where the frame that was sent does not show it. */
  readonly after?: string;
  /** The frame that this is the answer to. */
  readonly sent?: string;
  /** The last lines of the program's stderr, when they may say why. */
  readonly stderr?: readonly string[];
}

export class Finding extends Error {
  readonly facts: FindingFacts;

  constructor(facts: FindingFacts) {
    super(facts.what);
    this.name = "Finding";
    this.facts = facts;
  }
}

const SHOWN = 600;
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

/** A frame or value as one line, its end left out when it is long, control characters escaped. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const line = text.slice(0, SHOWN).replace(CONTROLS, escapeControl);
  return text.length > SHOWN ? `${line}… (${text.length} characters)` : line;
}

/** The last lines of a text for people, at most ten. */
export function lastLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .slice(-10)
    .map((line) => show(line));
}

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
