/** Start, watch and end a tree of processes. */
export {};
