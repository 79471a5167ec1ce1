/** A tool that an extension serves, behind the same gate as every other. */
import type { ExtensionLease, ExtensionTool } from "../ports.ts";
import { modelToolName } from "./names.ts";
import type { Tool } from "./tool.ts";
import { schemaProblem } from "./validate.ts";

export function extensionTool(tool: ExtensionTool, lease: ExtensionLease): Tool {
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
          async run({ signal, callId }) {
            const { content, isError } = await lease.callTool(tool.plugin, tool.name, value, { signal, callId });
            return { text: content, isError };
          },
        },
      };
    },
  };
}
