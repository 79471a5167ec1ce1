/** The events that frontends see. */
export {};
