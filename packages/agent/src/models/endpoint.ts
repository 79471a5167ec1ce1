/** One model at one provider, as the wire code sees it. */
import type { ProviderDescriptor } from "@reasonix-ts/protocol";
import type { ProviderSettings } from "./settings.ts";

export interface Endpoint {
  readonly ref: string;
  /** The model's id as the provider knows it. */
  readonly model: string;
  readonly settings: ProviderSettings;
  readonly descriptor: ProviderDescriptor;
  readonly apiKey: (environmentName: string) => string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly waits: {
    /** From the request to the response's head, in milliseconds. */
    readonly firstByteMillis: number;
    /** Between two reads of the body, keep-alive comments included, in milliseconds. */
    readonly silenceMillis: number;
  };
}
