/** What a manifest may claim for its runtime. */

export const CAPABILITIES = ["interceptors", "strategies", "providers", "ui", "tools"] as const;
export type Capability = (typeof CAPABILITIES)[number];
