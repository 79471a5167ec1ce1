/** Redact, strip, quote, near miss. */
export {};
