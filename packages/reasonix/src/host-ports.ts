/** What the host is given of the frontend: where notices, questions and surfaces go. */
import type { AuditEntry, GuardQuestion, HostPorts, Notice, SurfaceAnswer, SurfaceQuestion } from "@reasonix-ts/host";
import type { Frontend } from "./frontend.ts";

export function hostPorts(frontend: Frontend, audit: (entry: AuditEntry) => Promise<void>): Omit<HostPorts, "receipt"> {
  return {
    notice: ({ severity, plugin, text }: Notice) => frontend.emit({ kind: "notice", severity, plugin, text }),
    audit,
    askPerson: frontend.person.present ? (question, options) => askAboutGuard(frontend, question, options) : null,
    ui: {
      show: (surface) => frontend.emit({ kind: "extension_surface", surface }),
      ask: (question, options) => askForExtension(frontend, question, options),
    },
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

/** Where nobody is present the person answers `cancelled` at once. */
async function askForExtension(
  frontend: Frontend,
  { plugin, title, message, questions }: SurfaceQuestion,
  options: { readonly signal: AbortSignal },
): Promise<SurfaceAnswer> {
  const asks = `${plugin} asks${title === undefined || title === "" ? "" : `: ${title}`}`;
  return frontend.person.ask({ title: asks, ...(message === undefined ? {} : { message }), questions }, options);
}
