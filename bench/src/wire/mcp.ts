/** The MCP SDK: the same work as a tools/call. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { answer, checkAnswer, childArguments, type Contender } from "./contender.ts";

const information = { name: "bench", version: "0.0.0" } as const;

export async function startMcp(): Promise<Contender> {
  const client = new Client(information);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...childArguments("mcp")] }));
  return {
    name: "mcp",
    call: async (payload) => {
      const result = await client.callTool({ name: "intercept", arguments: { event: "tool.before", payload } });
      checkAnswer(result.structuredContent);
    },
    stop: () => client.close(),
  };
}

export async function answerMcp(): Promise<void> {
  const server = new Server(information, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent: answer }));
  await server.connect(new StdioServerTransport());
}
