/** The sidecar process: a host starts it and speaks to it over stdin and stdout. */
import { serve } from "@reasonix-ts/sdk";
import { statusCard } from "./extension.ts";

serve(statusCard());
