/** Rules at `permission.decision` by a policy: what it allows runs, what it denies does not, the rest is the host's. */
import { allow, defineExtension, deny, next, type Extension } from "@reasonix-ts/sdk";
import { judge, type Line } from "./policy.ts";

export function permissionPolicy(policy: readonly Line[]): Extension {
  return defineExtension({
    name: "permission-policy",
    version: "0.1.0",
    intercept: {
      "permission.decision": ({ name, arguments: json }) => {
        const line = judge(policy, name, json);
        if (line === null) return next();
        const reason = `line ${line.number} of the policy: ${line.verdict} ${line.tool} ${line.subject}`;
        return line.verdict === "allow" ? allow(reason) : deny(reason);
      },
    },
  });
}
