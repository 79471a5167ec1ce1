/** The sidecar process. `plugin-env/web-tools.env` names the hosts that may be reached, with commas between them. */
import { serve } from "@reasonix-ts/sdk";
import { webTools } from "./extension.ts";

const { WEB_TOOLS_HOSTS = "" } = process.env;

serve(webTools(WEB_TOOLS_HOSTS.split(",").map((host) => host.trim())));
