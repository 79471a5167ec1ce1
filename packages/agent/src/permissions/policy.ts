/** Decides what the host thinks of a tool call, before extensions and people are heard; pure. */
import path from "node:path";
import type { Approvals, Mode } from "./modes.ts";
import { commandParts } from "./command.ts";
import { isHarmless } from "./harmless-commands.ts";
import { isInside } from "./real-path.ts";
import { matchesCommand, matchesPath, matchesUrl, namesTool, type Rule, type RuleSet } from "./rules.ts";

/** A path of a call: as it was written, made absolute, and where its links end. */
export interface JudgedPath {
  readonly given: string;
  readonly absolute: string;
  readonly real: string;
}

/** What a call would touch, with paths followed to where their links end. */
export type JudgedSubject =
  | { readonly kind: "read" | "write"; readonly paths: readonly JudgedPath[] }
  | { readonly kind: "command"; readonly command: string; readonly writes: readonly JudgedPath[] }
  | { readonly kind: "fetch"; readonly url: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "foreign" };

export interface PolicyFacts {
  readonly mode: Mode;
  readonly approvals: Approvals;
  readonly rules: RuleSet;
  /** What people granted for this session or for good; counts above `ask` rules and below `deny` rules. */
  readonly grants: readonly Rule[];
  /** The workspace first, then added directories; links followed. */
  readonly roots: readonly string[];
  /** Directories that may be read though they are no workspace, such as where whole results are kept. */
  readonly readable: readonly string[];
  /** Paths inside the roots whose change is asked for in every mode but danger-full-access. */
  readonly protectedPaths: readonly string[];
  readonly home: string;
  /** Whether commands are confined to the mode's bounds by the system. */
  readonly confined: boolean;
  /** Why they are not, for the question. */
  readonly unconfinedWhy: string;
}

export interface Verdict {
  readonly decision: "allow" | "ask" | "deny";
  /** A sentence for the person, and for the model where the call is refused. */
  readonly why: string;
  /** The verdict in words, such as `deny by rule bash(rm*)`. */
  readonly words: string;
  /** Rules that would decide such calls from now on; empty where none would fit. */
  readonly suggested: readonly string[];
}

export function judge(
  call: { readonly tool: string; readonly readOnly: boolean; readonly subject: JudgedSubject },
  facts: PolicyFacts,
): Verdict {
  const matching = (rules: readonly Rule[], how: "any" | "all"): Rule | null => matchOf(call, rules, how, facts);
  const denied = matching(facts.rules.deny, "any");
  if (denied !== null) return byRule("deny", denied);
  // A grant for whole folders was said of their files; what decides over later runs is granted by its own name.
  const keeps = call.subject.kind === "write" && call.subject.paths.some((judged) => isProtected(judged, facts));
  const grants = keeps ? facts.grants.filter(({ pattern }) => pattern?.includes("*") !== true) : facts.grants;
  const granted = matching(grants, "all");
  if (granted !== null) return byRule("allow", granted);
  const asked = matching(facts.rules.ask, "any");
  if (asked !== null) return asking(call, byRule("ask", asked), facts);
  const allowed = matching(facts.rules.allow, "all");
  if (allowed !== null) return byRule("allow", allowed);
  const bounds = withinBounds(call, facts);
  switch (bounds.kind) {
    case "harmless":
      return { decision: "allow", why: "it changes nothing", words: "allow", suggested: [] };
    case "forbidden":
      return { decision: "deny", why: bounds.why, words: `deny in ${facts.mode} mode`, suggested: [] };
    case "inside":
      if (facts.approvals !== "ask") return { decision: "allow", why: bounds.why, words: "allow", suggested: [] };
      return asking(call, { decision: "ask", why: bounds.why, words: "ask", suggested: [] }, facts);
    case "outside":
      return asking(call, { decision: "ask", why: bounds.why, words: "ask", suggested: [] }, facts);
  }
}

type Call = Parameters<typeof judge>[0];

function byRule(decision: Verdict["decision"], rule: Rule): Verdict {
  const why = `the permission rule ${rule.text} says ${decision}`;
  return { decision, why, words: `${decision} by rule ${rule.text}`, suggested: [] };
}

function asking(call: Call, verdict: Verdict, facts: PolicyFacts): Verdict {
  if (facts.approvals === "never") {
    const why = `${verdict.why}, and approvals are set to never`;
    return { decision: "deny", why, words: `deny (${verdict.words}, approvals never)`, suggested: [] };
  }
  return { ...verdict, suggested: suggestionsFor(call, facts) };
}

/**
 * `any`: one part that matches is enough, for rules that restrict. `all`: every part must be matched by some rule, for
 * rules that permit.
 */
function matchOf(call: Call, rules: readonly Rule[], how: "any" | "all", facts: PolicyFacts): Rule | null {
  const about = rules.filter((rule) => namesTool(rule, call.tool));
  if (about.length === 0) return null;
  const whole = about.find((rule) => rule.pattern === null);
  if (whole !== undefined) return whole;
  const { subject } = call;
  const rootOf = (real: string): string | null => {
    const root = facts.roots[0];
    return root !== undefined && isInside(root, real) ? path.relative(root, real).replaceAll(path.sep, "/") : null;
  };
  const pathMatches = (rule: Rule, judged: JudgedPath, restricts: boolean): boolean => {
    const matches = (absolute: string): boolean =>
      matchesPath(rule.pattern ?? "", { absolute, relative: rootOf(absolute) }, facts.home);
    return matches(judged.real) || (restricts && matches(judged.absolute));
  };
  switch (subject.kind) {
    case "read":
    case "write":
      return pick(subject.paths, about, how, pathMatches);
    case "command": {
      const { parts, opaque } = commandParts(subject.command);
      const commandMatches = (rule: Rule, part: string): boolean => matchesCommand(rule.pattern ?? "", part);
      if (how === "any") return pick([...parts.flatMap(spellings), subject.command.trim()], about, how, commandMatches);
      const exact = about.find((rule) => rule.pattern === subject.command.trim());
      if (exact !== undefined) return exact;
      if (opaque !== null || subject.writes.length > 0) return null;
      return pick(parts, about, how, commandMatches);
    }
    case "fetch":
      return pick([subject.url], about, how, (rule, url) => matchesUrl(rule.pattern ?? "", url));
    case "nothing":
    case "foreign":
      return null;
  }
}

/** `/bin/rm x` is `rm x` to a rule that restricts. */
function spellings(part: string): readonly string[] {
  const [name = "", ...rest] = part.split(" ");
  return name.includes("/") ? [part, [name.slice(name.lastIndexOf("/") + 1), ...rest].join(" ")] : [part];
}

function pick<T>(
  items: readonly T[],
  rules: readonly Rule[],
  how: "any" | "all",
  matches: (rule: Rule, item: T, restricts: boolean) => boolean,
): Rule | null {
  let first: Rule | null = null;
  for (const item of items) {
    const rule = rules.find((candidate) => matches(candidate, item, how === "any"));
    if (rule === undefined) {
      if (how === "all") return null;
      continue;
    }
    if (how === "any") return rule;
    first ??= rule;
  }
  return first;
}

type Bounds =
  | { readonly kind: "harmless" }
  | { readonly kind: "inside" | "outside" | "forbidden"; readonly why: string };

function withinBounds({ tool, readOnly, subject }: Call, facts: PolicyFacts): Bounds {
  const full = facts.mode === "danger-full-access";
  switch (subject.kind) {
    case "nothing":
      return { kind: "harmless" };
    case "read": {
      if (full) return { kind: "harmless" };
      const outside = subject.paths.find((judged) => !inRoots(judged, facts) && !readable(judged, facts));
      if (outside === undefined) return { kind: "harmless" };
      return { kind: "outside", why: `${shownPath(outside)} lies outside the workspace` };
    }
    case "write": {
      const why = `it changes ${subject.paths.map(shownPath).join(", ")}`;
      if (full) return { kind: "inside", why };
      if (facts.mode === "read-only") return { kind: "forbidden", why: `${why}, and the mode is read-only` };
      return writesInside(subject.paths, facts) ?? { kind: "inside", why };
    }
    case "command": {
      if (full) return { kind: "inside", why: "it runs a command" };
      if (isHarmless(subject.command, subject.writes)) return { kind: "harmless" };
      if (!facts.confined) {
        const why = `commands cannot be confined here: ${facts.unconfinedWhy}`;
        return facts.mode === "read-only" ? { kind: "forbidden", why } : { kind: "outside", why };
      }
      return { kind: "inside", why: "it runs a command" };
    }
    case "fetch":
      return full ? { kind: "inside", why: "it uses the network" } : { kind: "outside", why: "it uses the network" };
    case "foreign":
      if (full) return { kind: "inside", why: `${tool} is served from outside` };
      if (readOnly) return { kind: "inside", why: `${tool} is served from outside and says that it only reads` };
      if (facts.mode === "read-only") {
        return { kind: "forbidden", why: `what ${tool} changes is not known, and the mode is read-only` };
      }
      return { kind: "outside", why: `what ${tool} changes is not known` };
  }
}

function writesInside(paths: readonly JudgedPath[], facts: PolicyFacts): Bounds | null {
  const outside = paths.find((judged) => !inRoots(judged, facts));
  if (outside !== undefined) return { kind: "outside", why: `${shownPath(outside)} lies outside the workspace` };
  const kept = paths.find((judged) => isProtected(judged, facts));
  return kept === undefined ? null : { kind: "outside", why: `${shownPath(kept)} is protected` };
}

function isProtected(judged: JudgedPath, facts: PolicyFacts): boolean {
  return facts.protectedPaths.some((protectedPath) => isInside(protectedPath, judged.real));
}

function inRoots(judged: JudgedPath, facts: PolicyFacts): boolean {
  return facts.roots.some((root) => isInside(root, judged.real));
}

function readable(judged: JudgedPath, facts: PolicyFacts): boolean {
  return facts.readable.some((directory) => isInside(directory, judged.real));
}

function shownPath(judged: JudgedPath): string {
  return judged.absolute === judged.real ? judged.given : `${judged.given} (a link to ${judged.real})`;
}

/** Commands whose second word says what they do. */
const TWO_WORDS =
  /^(?:git|npm|pnpm|yarn|npx|cargo|go|docker|kubectl|make|pip|uv|dotnet|gradle|mvn|brew|apt|apt-get|systemctl|gh)$/;

function suggestionsFor({ tool, subject }: Call, facts: PolicyFacts): readonly string[] {
  switch (subject.kind) {
    case "command": {
      const { parts, opaque } = commandParts(subject.command);
      if (opaque !== null || subject.writes.length > 0 || parts.length > 3) {
        // Only this very command, word for word; a star in it would mean more.
        const exact = subject.command.trim();
        return exact.includes("*") || exact.length > EXACT_CHARACTERS ? [] : [`${tool}(${exact})`];
      }
      return [...new Set(parts.map((part) => `${tool}(${prefixOf(part)}:*)`))];
    }
    case "read":
    case "write": {
      const rules = subject.paths.map((judged) => pathPattern(tool, judged, facts));
      return rules.includes(null) ? [] : [...new Set(rules.map((pattern) => `${tool}(${pattern})`))];
    }
    case "fetch":
      return URL.canParse(subject.url) ? [`${tool}(domain:${new URL(subject.url).hostname})`] : [];
    case "foreign":
      return [tool];
    case "nothing":
      return [];
  }
}

const WHOLE_WORKSPACE = "**";
/** What they are given is a directory. */
const DIRECTORY_TOOLS = /^(?:glob|grep|list_dir)$/;

/** The files that a grant for this one is about: never more than the person is told. Null where no pattern says it. */
function pathPattern(tool: string, judged: JudgedPath, facts: PolicyFacts): string | null {
  const root = facts.roots[0];
  const kept = isProtected(judged, facts);
  if (root !== undefined && isInside(root, judged.real) && !kept) return WHOLE_WORKSPACE;
  // In a pattern these would mean other files too.
  if (/[*?[\]{}()!+@\\]/.test(judged.real.replaceAll(path.sep, "/"))) return null;
  if (DIRECTORY_TOOLS.test(tool) && path.dirname(judged.real) !== judged.real) return `${judged.real}/**`;
  const directory = path.dirname(judged.real);
  return kept || path.dirname(directory) === directory ? judged.real : `${directory}/**`;
}

/** A longer command is not worth a rule that fits it alone. */
const EXACT_CHARACTERS = 200;

function prefixOf(part: string): string {
  const [first = "", second = ""] = part.split(" ");
  return TWO_WORDS.test(first) && /^[a-z][\w-]*$/.test(second) ? `${first} ${second}` : first;
}
