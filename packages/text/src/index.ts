/** Redact, strip, quote, near miss: what text goes through before a person sees it. */
export { createRedactor, redactSecrets, secretValuesOf, REDACTED } from "./redact.ts";
export type { Redactor, RedactorOptions } from "./redact.ts";
export type { RedactingStream } from "./redact-stream.ts";
export { oneLine, stripControls } from "./strip.ts";
export { quote } from "./quote.ts";
export type { QuoteOptions } from "./quote.ts";
export { didYouMean, nearMiss } from "./near-miss.ts";
export { formatBytes, formatMillis } from "./size.ts";
