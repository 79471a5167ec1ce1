/** The sidecar process: reads the policy and serves it. A policy that cannot be read ends the start with the cause. */
import { serve } from "@reasonix-ts/sdk";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { permissionPolicy } from "./extension.ts";
import { parsePolicy } from "./policy.ts";

// The build makes one CommonJS file of this, in dist/.
const file = process.env["PERMISSION_POLICY"] ?? join(__dirname, "../policy.txt");

serve(permissionPolicy(parsePolicy(readFileSync(file, "utf8"))));
