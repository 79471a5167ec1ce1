/** The language of the Reasonix Extension Protocol v2: methods, payloads, points, reasons, limits. */
export {};
