import { describe, expect, it } from "vitest";
import { openHome, type Runtime } from "./support/command.ts";

const TOOL = { name: "shout", description: "Shouts.", inputSchema: { type: "object" }, readOnly: true };
const GUARD = { intercepts: ["permission.decision"] };
const MODELS = { capabilities: ["providers"] };

interface Source {
  readonly how: string;
  readonly runtime: Runtime;
  readonly task: string;
  readonly options?: readonly string[];
  /** What a tool says is content, which nobody redacts. */
  readonly isContent?: true;
}

/** THE table of places where an extension's words reach a person: a new one adds its row. */
const SOURCES: readonly Source[] = [
  { how: "stderr", runtime: { intercepts: ["input.receive"] }, task: "hello" },
  { how: "stderr", runtime: { intercepts: ["input.receive"], required: true }, task: "hello" },
  { how: "declaration", runtime: { intercepts: ["input.receive"] }, task: "hello" },
  { how: "catalogue", runtime: MODELS, task: "hello" },
  { how: "stream", runtime: MODELS, task: "hello", options: ["--model", "plugin/loud/x/y"] },
  {
    how: "tool",
    runtime: { capabilities: ["tools"], tools: [TOOL] },
    task: "TOOL ext__loud__shout {}",
    isContent: true,
  },
  { how: "deny", runtime: GUARD, task: 'TOOL list_dir {"path":"."}' },
  {
    how: "allow",
    runtime: GUARD,
    task: 'TOOL bash {"command":"rm -rf x"}',
    options: ["--permission-mode", "read-only"],
  },
  { how: "error", runtime: { intercepts: ["input.receive"] }, task: "hello" },
  { how: "error", runtime: { intercepts: ["input.receive"], required: true }, task: "hello" },
  { how: "decision", runtime: { intercepts: ["input.receive"] }, task: "hello" },
];

// oxlint-disable-next-line no-control-regex -- these are what must not come through
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/;

describe("[X3] [case U-02] hostile words of an extension", () => {
  it.each(
    SOURCES.map((source) => [`${source.how} ${JSON.stringify(source.runtime["required"] ?? "")}`, source] as const),
  )(
    "come to nobody by %s: run, extensions, doctor, models",
    async (_name, { how, runtime, task, options = [], isContent = false }) => {
      const { reasonix, plugin } = await openHome();
      await plugin("loud", "loud.mjs", { ...runtime, env: { HOW: how } });
      // The answer of a run is the model's, byte for byte, where no terminal shows it.
      const said = [(await reasonix(["run", ...options, task])).stderr];
      const looks = [["extensions"], ["extensions", "--json"], ["doctor", "runtime"], ["models"]];
      for (const { stdout, stderr } of await Promise.all(looks.map((argv) => reasonix(argv))))
        said.push(stdout, stderr);
      for (const text of said) {
        expect(text).not.toMatch(CONTROLS);
        if (!isContent) expect(text).not.toContain("0123456789abcdef");
      }
      if (how !== "stream" || options.length > 0) expect(said.join("")).toContain("ok");
    },
  );
});
