import { describe, expect, it } from "vitest";
import { judge, type JudgedSubject, type PolicyFacts } from "../../src/permissions/policy.ts";
import { parseRules } from "../../src/permissions/rules.ts";

function facts(changes: Partial<PolicyFacts> = {}): PolicyFacts {
  return {
    mode: "workspace-write",
    approvals: "auto",
    rules: { allow: [], ask: [], deny: [] },
    grants: [],
    roots: ["/w", "/added"],
    readable: ["/results"],
    protectedPaths: ["/w/.git/hooks"],
    home: "/home/me",
    confined: true,
    unconfinedWhy: "",
    ...changes,
  };
}

const path = (absolute: string, real = absolute) => ({ given: absolute, absolute, real });
const bash = (command: string, writes: readonly string[] = []) => ({
  tool: "bash",
  readOnly: false,
  subject: { kind: "command", command, writes: writes.map((file) => path(file)) } satisfies JudgedSubject,
});
const write = (absolute: string, real = absolute) => ({
  tool: "write_file",
  readOnly: false,
  subject: { kind: "write", paths: [path(absolute, real)] } satisfies JudgedSubject,
});
const read = (absolute: string, real = absolute) => ({
  tool: "read_file",
  readOnly: true,
  subject: { kind: "read", paths: [path(absolute, real)] } satisfies JudgedSubject,
});
const fetch = {
  tool: "web_fetch",
  readOnly: true,
  subject: { kind: "fetch", url: "https://a.example.com/x" },
} as const;
const foreign = { tool: "ext__a__b", readOnly: false, subject: { kind: "foreign" } } as const;

function rules(lists: { allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[] }) {
  const read1 = (texts: readonly string[] = []) => parseRules(texts).rules;
  return { allow: read1(lists.allow), ask: read1(lists.ask), deny: read1(lists.deny) };
}

type Call = Parameters<typeof judge>[0];
type Row = readonly [name: string, call: Call, facts: PolicyFacts, decision: "allow" | "ask" | "deny"];

const MODES: readonly Row[] = [
  ["a read in the workspace", read("/w/a"), facts({ approvals: "ask" }), "allow"],
  ["a read in an added directory", read("/added/a"), facts(), "allow"],
  ["a read of a kept result", read("/results/a"), facts(), "allow"],
  ["a read outside", read("/etc/passwd"), facts(), "ask"],
  ["a read through a link that leads outside", read("/w/link", "/etc/passwd"), facts(), "ask"],
  ["a read outside with full access", read("/etc/passwd"), facts({ mode: "danger-full-access" }), "allow"],
  ["a read outside, approvals never", read("/etc/passwd"), facts({ approvals: "never" }), "deny"],
  ["a write in the workspace", write("/w/a"), facts(), "allow"],
  ["a write in the workspace, approvals ask", write("/w/a"), facts({ approvals: "ask" }), "ask"],
  ["a write in the workspace, approvals never", write("/w/a"), facts({ approvals: "never" }), "allow"],
  ["a write outside", write("/etc/x"), facts(), "ask"],
  ["a write next to the workspace", write("/w2/x"), facts(), "ask"],
  ["a write through a link that leads outside", write("/w/link", "/etc/x"), facts(), "ask"],
  ["a write to a git hook", write("/w/.git/hooks/pre-commit"), facts(), "ask"],
  ["a write in read-only mode", write("/w/a"), facts({ mode: "read-only" }), "deny"],
  ["a write with full access", write("/etc/x"), facts({ mode: "danger-full-access" }), "allow"],
  [
    "a write with full access, approvals ask",
    write("/etc/x"),
    facts({ mode: "danger-full-access", approvals: "ask" }),
    "ask",
  ],
  ["a confined command", bash("make"), facts(), "allow"],
  ["a confined command, approvals ask", bash("make"), facts({ approvals: "ask" }), "ask"],
  ["a command without bubblewrap", bash("make"), facts({ confined: false }), "ask"],
  [
    "a command without bubblewrap, approvals never",
    bash("make"),
    facts({ confined: false, approvals: "never" }),
    "deny",
  ],
  ["a command without bubblewrap, read-only", bash("ls"), facts({ confined: false, mode: "read-only" }), "deny"],
  ["a command with full access", bash("make"), facts({ confined: false, mode: "danger-full-access" }), "allow"],
  ["a fetch", fetch, facts(), "ask"],
  ["a fetch with full access", fetch, facts({ mode: "danger-full-access" }), "allow"],
  ["a tool of others", foreign, facts(), "ask"],
  ["a tool of others that only reads", { ...foreign, readOnly: true }, facts(), "allow"],
  ["a tool of others, read-only", foreign, facts({ mode: "read-only" }), "deny"],
  [
    "what touches nothing",
    { tool: "todo_write", readOnly: false, subject: { kind: "nothing" } },
    facts({ mode: "read-only" }),
    "allow",
  ],
];

const RULES: readonly Row[] = [
  [
    "an allow rule",
    bash("git status -s"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(git status:*)"] }) }),
    "allow",
  ],
  [
    "a prefix ends at a word",
    bash("git statusx"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(git status:*)"] }) }),
    "ask",
  ],
  [
    "every part must be allowed",
    bash("git status && make"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(git status:*)"] }) }),
    "ask",
  ],
  [
    "parts allowed by several rules",
    bash("git status && make"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(git status:*)", "bash(make)"] }) }),
    "allow",
  ],
  [
    "a part inside a substitution",
    bash("echo $(make)"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(echo:*)"] }) }),
    "ask",
  ],
  [
    "no rule allows what cannot be read",
    bash("echo hi; eval x"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(echo:*)", "bash(eval:*)"] }) }),
    "ask",
  ],
  [
    "no prefix allows a redirection",
    bash("echo hi > /etc/x", ["/etc/x"]),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(echo:*)"] }) }),
    "ask",
  ],
  [
    "the whole tool is allowed",
    bash("eval x"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash"] }) }),
    "allow",
  ],
  [
    "deny over ask over allow",
    bash("rm x"),
    facts({ rules: rules({ allow: ["bash"], ask: ["bash(rm:*)"], deny: ["bash(rm*)"] }) }),
    "deny",
  ],
  ["ask over allow", bash("rm x"), facts({ rules: rules({ allow: ["bash"], ask: ["bash(rm:*)"] }) }), "ask"],
  [
    "a denied part denies all",
    bash("git status; sudo rm -rf /"),
    facts({ rules: rules({ allow: ["bash"], deny: ["bash(rm:*)"] }) }),
    "deny",
  ],
  ["a denied part in quotes of its name", bash("'r'\\m x"), facts({ rules: rules({ deny: ["bash(rm:*)"] }) }), "deny"],
  [
    "a deny rule with full access",
    bash("rm x"),
    facts({ mode: "danger-full-access", rules: rules({ deny: ["bash(rm:*)"] }) }),
    "deny",
  ],
  [
    "a grant over an ask rule",
    bash("rm x"),
    facts({ rules: rules({ ask: ["bash(rm:*)"] }), grants: parseRules(["bash(rm:*)"]).rules }),
    "allow",
  ],
  [
    "no grant over a deny rule",
    bash("rm x"),
    facts({ rules: rules({ deny: ["bash(rm:*)"] }), grants: parseRules(["bash"]).rules }),
    "deny",
  ],
  [
    "a path rule",
    write("/w/docs/a/b.md"),
    facts({ approvals: "ask", rules: rules({ allow: ["write_file(docs/**)"] }) }),
    "allow",
  ],
  [
    "a path rule elsewhere",
    write("/w/src/b.md"),
    facts({ approvals: "ask", rules: rules({ allow: ["write_file(docs/**)"] }) }),
    "ask",
  ],
  [
    "a path rule is about where links end",
    write("/w/docs/x", "/etc/x"),
    facts({ rules: rules({ allow: ["write_file(docs/**)"] }) }),
    "ask",
  ],
  [
    "a deny rule is about the link too",
    write("/w/docs/x", "/w/src/x"),
    facts({ rules: rules({ deny: ["write_file(docs/**)"] }) }),
    "deny",
  ],
  ["a rule for absolute paths", read("/etc/hosts"), facts({ rules: rules({ allow: ["read_file(/etc/*)"] }) }), "allow"],
  [
    "a rule for the home",
    read("/home/me/.ssh/id"),
    facts({ mode: "danger-full-access", rules: rules({ deny: ["read_file(~/.ssh/**)"] }) }),
    "deny",
  ],
  ["a domain rule", fetch, facts({ rules: rules({ allow: ["web_fetch(domain:example.com)"] }) }), "allow"],
  ["a domain rule for another", fetch, facts({ rules: rules({ allow: ["web_fetch(domain:ample.com)"] }) }), "ask"],
  ["a rule with a star in the name", foreign, facts({ rules: rules({ allow: ["ext__a__*"] }) }), "allow"],
];

const SPELLINGS: readonly Row[] = [
  ["a denied program by its path", bash("/bin/rm x"), facts({ rules: rules({ deny: ["bash(rm:*)"] }) }), "deny"],
  [
    "no rule by name allows a path",
    bash("./make"),
    facts({ approvals: "ask", rules: rules({ allow: ["bash(make:*)"] }) }),
    "ask",
  ],
];

describe("the host's verdict", () => {
  it.each([...MODES, ...RULES, ...SPELLINGS])("%s", (_name, call, given, decision) => {
    expect(judge(call, given).decision).toBe(decision);
  });

  it("says in words what decided, for the audit and for people", () => {
    const given = facts({ rules: rules({ deny: ["bash(rm*)"] }) });
    expect(judge(bash("rm x"), given)).toEqual({
      decision: "deny",
      why: "the permission rule bash(rm*) says deny",
      words: "deny by rule bash(rm*)",
      suggested: [],
    });
    expect(judge(bash("make"), facts({ confined: false, unconfinedWhy: "bubblewrap is not installed" }))).toEqual({
      decision: "ask",
      why: "commands cannot be confined here: bubblewrap is not installed",
      words: "ask",
      suggested: ["bash(make:*)"],
    });
  });

  it.each([
    ["git commit -m x && npm test", ["bash(git commit:*)", "bash(npm test:*)"]],
    ["git -C x status", ["bash(git:*)"]],
    ["eval x", ["bash(eval x)"]],
    ["eval *", []],
    ["echo x > y", ["bash(echo:*)"]],
  ])("suggests rules for %s", (command, suggested) => {
    expect(judge(bash(command), facts({ approvals: "ask" })).suggested).toEqual(suggested);
  });

  it.each([
    [write("/w/src/a"), ["write_file(**)"]],
    [write("/added/a"), ["write_file(/added/**)"]],
    [write("/home/me/notes/a"), ["write_file(/home/me/notes/**)"]],
    [write("/w/.git/hooks/pre-commit"), ["write_file(/w/.git/hooks/pre-commit)"]],
    [read("/hosts"), ["read_file(/hosts)"]],
    [{ ...read("/etc"), tool: "list_dir" }, ["list_dir(/etc/**)"]],
    [{ ...read("/"), tool: "list_dir" }, ["list_dir(/)"]],
    [read("/srv/{a,b}/*/c"), []],
  ])("suggests no wider rule than it was asked about (%#)", (call, suggested) => {
    const asking = facts({ approvals: "ask", rules: rules({ ask: ["read_file", "list_dir"] }) });
    expect(judge(call, asking).suggested).toEqual(suggested);
    const granted = parseRules(suggested).rules;
    if (suggested.length > 0) expect(judge(call, { ...asking, grants: granted }).decision).toBe("allow");
  });

  it.each([
    write("/home/me/.bashrc"),
    write("/added/a"),
    write("/w/.git/hooks/pre-commit"),
    write("/w/a", "/etc/passwd"),
  ])("asks in spite of a grant for the workspace's files (%#)", (call) => {
    const given = facts({ approvals: "ask", grants: parseRules(["write_file(**)"]).rules });
    expect(judge(write("/w/deep/er/.a"), given).decision).toBe("allow");
    expect(judge(call, given).decision).toBe("ask");
  });

  it("asks for a protected path in spite of a grant for a folder above it", () => {
    const given = facts({ grants: parseRules(["write_file(/home/me/**)"]).rules, protectedPaths: ["/home/me/.agent"] });
    expect(judge(write("/home/me/a"), given).decision).toBe("allow");
    expect(judge(write("/home/me/.agent/config.toml"), given).decision).toBe("ask");
  });

  it("reads rules and reports every one that it does not understand", () => {
    const { rules: read1, problems } = parseRules([
      "bash(git status:*)",
      "write_file",
      "mcp__a__*",
      "bash(",
      "",
      "a b",
    ]);
    expect(read1).toEqual([
      { text: "bash(git status:*)", tool: "bash", pattern: "git status:*" },
      { text: "write_file", tool: "write_file", pattern: null },
      { text: "mcp__a__*", tool: "mcp__a__*", pattern: null },
    ]);
    expect(problems).toEqual(
      ["bash(", "", "a b"].map(
        (text) =>
          `The permission rule ${JSON.stringify(text)} is not understood; write tool or tool(pattern), such as bash(git status:*).`,
      ),
    );
  });
});
