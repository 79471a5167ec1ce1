/** Strict JSON-RPC 2.0 over NDJSON: framer, peer, one ordered writer. Knows nothing of Reasonix. */
export {};
