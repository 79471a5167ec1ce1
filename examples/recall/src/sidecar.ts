/** The sidecar process: a host starts it and speaks to it over stdin and stdout. */
import { serve } from "@reasonix-ts/sdk";
import { homedir } from "node:os";
import { join } from "node:path";
import { recall } from "./extension.ts";

serve(recall(process.env["RECALL_DIR"] ?? join(homedir(), ".local/state/reasonix-recall")));
