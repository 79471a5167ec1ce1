/** Guards stdout before any other module of a sidecar is evaluated; elsewhere, as in a unit test, it does nothing. */
import { guardStdout } from "./stdout-guard.ts";

// Every host sets this for the sidecars that it starts.
if (process.env["REASONIX_PLUGIN_NAME"] !== undefined) guardStdout();
