/** The built-in tools, in the order in which models see them. */
import { askTool } from "./ask.ts";
import { bashTool } from "./bash.ts";
import { editFileTool, multiEditTool } from "./edit-file.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { jobKillTool, jobOutputTool } from "./job-tools.ts";
import { listDirTool } from "./list-dir.ts";
import { readFileTool } from "./read-file.ts";
import { taskTool } from "./task.ts";
import { todoWriteTool } from "./todo-write.ts";
import type { Tool } from "./tool.ts";
import { viewImageTool } from "./view-image.ts";
import { webFetchTool } from "./web-fetch.ts";
import { writeFileTool } from "./write-file.ts";

export function builtInTools(agents: Parameters<typeof taskTool>[0]): readonly Tool[] {
  return [...ALONE, taskTool(agents)];
}

/** The names under which models see them, and that slots for tools are made of. */
export function builtInToolNames(): readonly string[] {
  return builtInTools([]).map(({ name }) => name);
}

const ALONE: readonly Tool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  multiEditTool,
  listDirTool,
  globTool,
  grepTool,
  bashTool,
  jobOutputTool,
  jobKillTool,
  webFetchTool,
  viewImageTool,
  todoWriteTool,
  askTool,
];
