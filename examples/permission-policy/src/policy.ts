/** Reads a policy and judges a tool call by it; pure. */

export interface Line {
  readonly verdict: "allow" | "deny";
  readonly tool: string;
  /** What the call is about; `*` stands for any text. */
  readonly subject: string;
  /** From 1, to be named in reasons. */
  readonly number: number;
}

/** Throws an Error that names every line that is not understood: a policy with a hole is worse than none. */
export function parsePolicy(text: string): readonly Line[] {
  const lines: Line[] = [];
  const faults: string[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [, verdict, tool, subject] = /^(allow|deny)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
    if ((verdict === "allow" || verdict === "deny") && tool !== undefined && subject !== undefined)
      lines.push({ verdict, tool, subject, number: index + 1 });
    else faults.push(`line ${index + 1} is "${line}"`);
  }
  if (faults.length > 0) throw new Error(`${faults.join("; ")}; wanted: allow or deny, a tool, what the call is about`);
  return lines;
}

/** The first line that fits, or null. `json` is the call's arguments. */
export function judge(policy: readonly Line[], tool: string, json: string): Line | null {
  const subject = subjectOf(json);
  const fits = (line: Line): boolean => {
    if (line.tool !== tool && line.tool !== "*") return false;
    if (line.verdict === "allow" && (subject === null || isCompound(tool, subject))) return false;
    return wildcard(line.subject).test(subject ?? json);
  };
  return policy.find(fits) ?? null;
}

/** What the reference names of built-in tools' arguments say a call is about. */
const SUBJECTS = ["command", "path", "url"] as const;

function subjectOf(json: string): string | null {
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof args !== "object" || args === null) return null;
  const entries = new Map<string, unknown>(Object.entries(args));
  const subject = SUBJECTS.map((name) => entries.get(name)).find((value) => typeof value === "string");
  return typeof subject === "string" ? subject : null;
}

/** `allow bash npm test*` must not let `npm test; rm -rf .` through, nor a path that climbs out with `..`. */
function isCompound(tool: string, subject: string): boolean {
  return tool === "bash" ? /[;&|<>`$(){}\n\r\\]/.test(subject) : /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(subject);
}

function wildcard(pattern: string): RegExp {
  const escaped = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`, "s");
}
