/** What the host is given of the frontend: where notices, questions and surfaces go. */
import type { AuditEntry, GuardQuestion, HostPorts, Notice } from "@reasonix-ts/host";
import type { Frontend } from "./frontend.ts";

export function hostPorts(frontend: Frontend, audit: (entry: AuditEntry) => Promise<void>): Omit<HostPorts, "receipt"> {
  return {
    notice: ({ severity, plugin, text }: Notice) => frontend.emit({ kind: "notice", severity, plugin, text }),
    audit,
    askPerson: frontend.person.present ? (question, options) => askAboutGuard(frontend, question, options) : null,
    ui: null,
  };
}

async function askAboutGuard(
  frontend: Frontend,
  { plugin, tool, arguments: args, cause }: GuardQuestion,
  options: { readonly signal?: AbortSignal },
): Promise<boolean> {
  const answer = await frontend.person.askPermission(
    { tool, summary: args, why: `The extension ${plugin}, which guards this, gave no answer: ${cause}` },
    options,
  );
  return answer !== "no";
}
