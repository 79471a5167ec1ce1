/** A tool that an extension serves, behind the same gate as every other. */
import type { ExtensionTool } from "../ports.ts";
import { modelToolName } from "./names.ts";
import type { Tool } from "./tool.ts";
import { schemaProblem } from "./validate.ts";

export function extensionTool(tool: ExtensionTool): Tool {
  return {
    name: tool.replacesBuiltIn ? tool.name : modelToolName("ext", tool.plugin, tool.name),
    description: tool.description,
    parameters: { ...tool.inputSchema },
    readOnly: tool.readOnly,
    async prepare(value) {
      let problem: string | null;
      try {
        problem = await schemaProblem(tool.inputSchema, value);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        problem = `plugin ${tool.plugin} gives ${tool.name} an input schema that cannot be used (${why})`;
      }
      if (problem !== null) return { ok: false, problem };
      return {
        ok: true,
        call: {
          subject: { kind: "foreign" },
          async run({ lease, signal, callId }) {
            // Tools are kept for a generation, leases for a turn: it is the turn's own that is asked.
            if (lease === null) throw new Error(`plugin ${tool.plugin} is not loaded any more`);
            const { content, isError } = await lease.callTool(tool.plugin, tool.name, value, { signal, callId });
            return { text: content, isError };
          },
        },
      };
    },
  };
}
