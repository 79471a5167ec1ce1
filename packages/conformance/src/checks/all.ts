/** THE list of checks, in the order in which they are reported. */
import type { Check } from "./check.ts";
import { contentChecks } from "./content.ts";
import { endChecks } from "./ends.ts";
import { frameChecks } from "./frames.ts";
import { handshakeChecks } from "./handshake.ts";
import { interceptChecks } from "./intercepts.ts";
import { offerChecks } from "./offers.ts";
import { providerChecks } from "./providers.ts";

export const CHECKS: readonly Check[] = [
  ...handshakeChecks,
  ...frameChecks,
  ...interceptChecks,
  ...contentChecks,
  ...providerChecks,
  ...offerChecks,
  ...endChecks,
];
