/** The referee: proves a sidecar or a host right, with raw bytes. */
export {};
