/** Rules of the runtime block that need more than one member, or more than its shape (pure). */
import type { Capability } from "@reasonix-ts/protocol";
import { judgeCommand } from "./command.ts";
import type { RuntimeFields } from "./fields.ts";
import type { RuntimeBlock } from "./shape.ts";
import { manifestProblem, type ManifestProblem } from "./problem.ts";

export function judgeRuntime(runtime: RuntimeFields | undefined): readonly ManifestProblem[] {
  if (runtime === undefined) return [];
  const problems: ManifestProblem[] = [];
  const refusal = judgeCommand(runtime.command);
  if (refusal !== null)
    problems.push(manifestProblem("/runtime/command", runtime.command, refusal.wanted, refusal.hint));
  if (/\0/.test((runtime.args ?? []).join(""))) {
    problems.push(manifestProblem("/runtime/args", runtime.args, "arguments without NUL"));
  }
  const tools = runtime.tools ?? [];
  if (tools.length > 0 && runtime.capabilities?.includes("tools") !== true) {
    problems.push(
      manifestProblem(
        "/runtime/capabilities",
        runtime.capabilities,
        'a list with "tools"',
        "Tools need that capability.",
      ),
    );
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (names.has(tool.name))
      problems.push(manifestProblem(`/runtime/tools/${index}/name`, tool.name, "each name once"));
    names.add(tool.name);
  }
  return problems;
}

/** What the runtime may use: what is listed, what `intercepts` and `replaces` imply, and ui where nothing is listed. */
export function effectiveCapabilities(
  runtime: Pick<RuntimeBlock, "declared" | "intercepts" | "replaces">,
): readonly Capability[] {
  const granted = new Set<Capability>(runtime.declared ?? ["ui"]);
  if (runtime.intercepts.length > 0) granted.add("interceptors");
  if (runtime.replaces.length > 0) granted.add("strategies");
  return ORDER.filter((capability) => granted.has(capability));
}

const ORDER: readonly Capability[] = ["interceptors", "strategies", "providers", "ui", "tools"];
