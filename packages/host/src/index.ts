/** An embeddable host that runs extensions of the Reasonix Extension Protocol v2. */
export {};
