/** The host's single door to people: every text passes it, and it knows the secrets that sidecars were started with. */
import { createRedactor, secretValuesOf, type Redactor } from "@reasonix-ts/text";

export interface RedactionDoor {
  /** Takes secrets out of a text. Model content, payloads and tool results never come here. */
  readonly redact: (text: string) => string;
  /** Adds the secret values of environments that sidecars get; none is ever forgotten, since old texts may name it. */
  readonly learn: (environments: Iterable<{ readonly [name: string]: string }>) => void;
}

/** `base` redacts what the app knows. */
export function redactionDoor(base: (text: string) => string): RedactionDoor {
  const known = new Set<string>();
  let own: Redactor | null = null;
  return {
    redact: (text) => base(own === null ? text : own.redact(text)),
    learn(environments) {
      const before = known.size;
      for (const environment of environments) for (const value of secretValuesOf(environment)) known.add(value);
      if (known.size > before) own = createRedactor({ literals: known });
    },
  };
}
