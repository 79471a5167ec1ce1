/** Permission rules such as `bash(git status:*)` and `write_file(docs/**)`: reading and matching. */
import picomatch from "picomatch";

export interface Rule {
  /** As it was written. */
  readonly text: string;
  /** Tool name; `*` in it stands for any characters. */
  readonly tool: string;
  /** What is in the parentheses; null where there are none, which means every call of the tool. */
  readonly pattern: string | null;
}

export interface RuleSet {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

export const NO_RULES: RuleSet = { allow: [], ask: [], deny: [] };

export type RuleReading = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly problem: string };

export function parseRule(text: string): RuleReading {
  const match = /^\s*([\w.*-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  const tool = match?.[1];
  if (tool === undefined) {
    return {
      ok: false,
      problem: `The permission rule ${JSON.stringify(text)} is not understood; write tool or tool(pattern), such as bash(git status:*).`,
    };
  }
  const inner = match?.[2]?.trim();
  return { ok: true, rule: { text: text.trim(), tool, pattern: inner === undefined || inner === "" ? null : inner } };
}

/** Reads all rules of a list; every one that is not understood is reported. */
export function parseRules(texts: readonly string[]): {
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
} {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const text of texts) {
    const read = parseRule(text);
    if (read.ok) rules.push(read.rule);
    else problems.push(read.problem);
  }
  return { rules, problems };
}

/** Whether a rule is about a tool at all. */
export function namesTool(rule: Rule, tool: string): boolean {
  return rule.tool === tool || (rule.tool.includes("*") && wildcard(rule.tool).test(tool));
}

/** `git status:*` is a command and anything behind it; elsewhere `*` is any text; else the whole command is meant. */
export function matchesCommand(pattern: string, part: string): boolean {
  if (pattern.endsWith(":*")) {
    const prefix = pattern.slice(0, -2).trimEnd();
    return part === prefix || part.startsWith(`${prefix} `);
  }
  return pattern.includes("*") ? wildcard(pattern).test(part) : part === pattern;
}

/** Glob over the path relative to the workspace; patterns that begin with `/` or `~/` are about absolute paths. */
export function matchesPath(
  pattern: string,
  path: { readonly absolute: string; readonly relative: string | null },
  home: string,
): boolean {
  const options = { dot: true };
  const tilde = pattern.startsWith("~/") ? home + pattern.slice(1) : pattern;
  if (tilde.startsWith("/") || /^[A-Za-z]:/.test(tilde)) return picomatch.isMatch(path.absolute, tilde, options);
  return path.relative !== null && picomatch.isMatch(path.relative, tilde.replace(/^\.\//, ""), options);
}

/** `domain:example.com` is that host and what is below it; else `*` in the pattern is any text of the address. */
export function matchesUrl(pattern: string, url: string): boolean {
  if (!pattern.startsWith("domain:")) return wildcard(pattern).test(url);
  if (!URL.canParse(url)) return false;
  const domain = pattern.slice("domain:".length).trim().toLowerCase();
  const { hostname } = new URL(url);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function wildcard(pattern: string): RegExp {
  const source = pattern
    .split("*")
    .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*");
  return new RegExp(`^${source}$`);
}
