import { describe, expect, it } from "vitest";
import { trustText, type TrustBlock } from "../src/index.ts";
import { programChanges, trustChanges } from "../src/trust/changes.ts";

const block = (more: Partial<TrustBlock> = {}): TrustBlock => ({
  command: "./run.sh",
  resolved: "/p/run.sh",
  sha256: "0".repeat(64),
  withNode: false,
  obstacle: null,
  args: [],
  env: [],
  gets: [],
  required: false,
  priority: 0,
  timeoutMillis: 0,
  intercepts: [],
  slots: [],
  capabilities: [],
  tools: [],
  ...more,
});

describe("the FULL TRUST block", () => {
  it("[M4] [X2] says all that is authorized, in 80 columns of plain words", () => {
    const lines = trustText(
      block({
        withNode: true,
        args: ["--token=sk-fixture0123456789abcdef", "a\nb"],
        env: ["A", "B"],
        gets: ["KEY"],
        required: true,
        priority: -5,
        timeoutMillis: 60_000,
        intercepts: ["input.receive", "tool.before"],
        slots: ["tool:bash"],
        capabilities: ["interceptors", "tools"],
        tools: ["count"],
        obstacle: "it is not there",
      }),
    );
    expect(lines).toEqual([
      "FULL TRUST",
      "  This plugin starts a program of its own. It runs outside the sandbox, with",
      "  your rights and your whole environment: it can read the session and your",
      "  files, override permission decisions, and operate this machine. Installing,",
      "  updating or linking it is the permission; you are not asked again.",
      '  command:      "./run.sh"',
      '  resolved:     "/p/run.sh" (run with the host\'s own Node)',
      `  sha256:       ${"0".repeat(64)}`,
      '  args:         "--token=[redacted]", "a\\nb"',
      '  env:          "A", "B"',
      "  gets:         KEY (plugin-env)",
      "  required:     yes: without it no turn runs",
      "  priority:     -5",
      "  budget:       1 min at every point",
      "  intercepts:   input.receive, tool.before (rules on: tool.before)",
      '  slots:        "tool:bash" (the last word)',
      "  capabilities: interceptors, tools",
      '  tools:        "count"',
      '  It cannot start as it is: "it is not there"',
    ]);
  });

  it("[M4] says none where there is nothing", () => {
    expect(trustText(block({ sha256: null })).slice(7)).toEqual([
      "  sha256:       no file to read",
      "  args:         none",
      "  env:          none",
      "  required:     no",
      "  priority:     0",
      "  budget:       5 s at input, tool and permission points, 30 s elsewhere",
      "  intercepts:   none",
      "  slots:        none",
      "  capabilities: none",
      "  tools:        none",
    ]);
  });
});

describe("what an update changes", () => {
  const lines = (before: TrustBlock | null, after: TrustBlock | null): readonly string[] =>
    trustChanges(before, after).map(({ direction, what }) => `${direction} ${what}`);

  it.each<readonly [string, TrustBlock | null, TrustBlock | null, readonly string[]]>([
    ["nothing", block(), block(), []],
    ["no runtime", null, null, []],
    [
      "a first runtime",
      null,
      block({ slots: ["context"] }),
      ["gained a runtime with full trust", "gained slot context"],
    ],
    ["its runtime away", block(), null, ["lost its runtime"]],
    ["the file", block(), block({ sha256: "1".repeat(64) }), ["changed the command's file"]],
    ["the command", block(), block({ command: "./b", sha256: null }), ["changed command ./run.sh to ./b"]],
    [
      "claims",
      block({ intercepts: ["tool.after"], capabilities: ["ui"], tools: ["a"] }),
      block({
        intercepts: ["tool.before"],
        capabilities: ["ui", "providers"],
        tools: ["b"],
        required: true,
        priority: 1,
      }),
      [
        "gained intercepts tool.before",
        "lost intercepts tool.after",
        "gained capability providers",
        "gained tool b",
        "lost tool a",
        "changed required to yes",
        "changed priority 0 to 1",
      ],
    ],
    [
      "args and variables",
      block({ args: ["a"] }),
      block({ env: ["A"] }),
      ["changed args", "changed names of variables"],
    ],
  ])("[M4] [X2] %s", (_what, before, after, expected) => {
    expect(lines(before, after)).toEqual(expected);
  });

  it("[X2] hooks and servers that come and go", () => {
    const [a, b] = [
      { occasion: "hook Stop", target: "a" },
      { occasion: "MCP server s", target: "b" },
    ];
    expect(programChanges([a], [b])).toEqual([
      { direction: "gained", what: "MCP server s: b" },
      { direction: "lost", what: "hook Stop: a" },
    ]);
  });
});
