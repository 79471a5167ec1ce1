/** Refuses tool calls whose command destroys what cannot be brought back. */
import { block, defineExtension, next } from "@reasonix-ts/sdk";
import { judge } from "./judge.ts";

export const extension = defineExtension({
  name: "guard-extension",
  version: "0.1.0",
  intercept: {
    "tool.before": ({ name, arguments: json }) => {
      const command = commandIn(json);
      if (command === null) return name === "bash" ? block(UNREADABLE) : next();
      const verdict = judge(command);
      if (verdict === null) return next();
      const { part, danger } = verdict;
      return block(`guard-extension refuses \`${part}\`: this ${danger.why}. ${danger.instead}`);
    },
  },
});

const UNREADABLE =
  "guard-extension refuses this call of bash: it names no command to judge. Give `command` as a string.";

/** Any tool with a `command` runs one, whatever it is called. */
function commandIn(json: string): string | null {
  let args: unknown;
  try {
    args = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof args !== "object" || args === null || !("command" in args)) return null;
  return typeof args.command === "string" ? args.command : null;
}
