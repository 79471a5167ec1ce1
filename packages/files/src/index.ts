/** Atomic write, lock, digest, append. */
export {};
