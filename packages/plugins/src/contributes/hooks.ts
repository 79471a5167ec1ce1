/** Hooks: what runs at the moments of a session, with the plugin's root put in. */
import path from "node:path";
import { isHookEvent, reachesEveryTool, type HookFields } from "../manifest/hook-fields.ts";
import type { Resources } from "../manifest/shape.ts";
import { resolveInside } from "../package/read-inside.ts";
import type { Hook, HookAction, Note } from "./contribution.ts";
import { expandPlain, expandScript } from "./root-variables.ts";

export async function readHooks(
  plugin: string,
  root: string,
  declared: Resources["hooks"],
  dialect: Hook["dialect"],
  note: Note,
): Promise<readonly Hook[]> {
  const hooks: Hook[] = [];
  for (const [event, entries] of Object.entries(declared)) {
    if (!isHookEvent(event)) continue;
    for (const [index, fields] of entries.entries()) {
      const entry = `hooks/${event}/${index}`;
      const action = await actionOf(fields, root, entry, note);
      if (action === null) continue;
      hooks.push({
        plugin,
        event,
        match: reachesEveryTool(fields.match) ? null : (fields.match ?? null),
        action,
        timeoutMillis: fields.timeout ?? null,
        async: fields.async ?? false,
        env: Object.fromEntries(
          Object.entries(fields.env ?? {}).map(([name, value]) => [name, expandPlain(value, root)]),
        ),
        description: fields.description ?? "",
        dialect,
        entry,
      });
    }
  }
  return hooks;
}

/** Whether a hook is meant for a tool, by the name that the hook's dialect gives it. */
export function hookMatches(hook: Pick<Hook, "match" | "dialect">, tool: string): boolean {
  if (hook.match === null) return true;
  const pattern = new RegExp(`^(?:${hook.match})$`, "u");
  return hook.dialect === "claude" ? claudeToolNames(tool).some((name) => pattern.test(name)) : pattern.test(tool);
}

/** What Claude's format calls a tool; the first is today's name, others are older ones. Unknown tools keep their name. */
export function claudeToolNames(tool: string): readonly string[] {
  return CLAUDE_TOOLS.get(tool) ?? [tool];
}

const CLAUDE_TOOLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["bash", ["Bash"]],
  ["read_file", ["Read"]],
  ["view_image", ["Read"]],
  ["write_file", ["Write"]],
  ["edit_file", ["Edit", "MultiEdit"]],
  ["glob", ["Glob"]],
  ["grep", ["Grep"]],
  ["todo_write", ["TodoWrite"]],
  ["ask", ["AskUserQuestion"]],
  ["job_output", ["TaskOutput", "BashOutput"]],
  ["job_kill", ["TaskStop", "KillShell"]],
  ["task", ["Agent", "Task"]],
]);

async function actionOf(fields: HookFields, root: string, entry: string, note: Note): Promise<HookAction | null> {
  if (fields.contextFile !== undefined) {
    const place = await resolveInside(root, fields.contextFile);
    if (place.ok) return { type: "context", file: place.file };
    note(entry, place.problem);
    return null;
  }
  const command = fields.command ?? "";
  const cwd = await folderOf(fields.cwd, root, entry, note);
  if (cwd === undefined) return null;
  if (fields.args === undefined) {
    const shell = fields.shell ?? "auto";
    return { type: "shell", shell, script: expandScript(command, root, shell), cwd };
  }
  const program = programOf(command, root);
  if (program === null) {
    note(entry, `the command ${JSON.stringify(command)} leads out of the plugin`);
    return null;
  }
  return { type: "exec", command: program, args: fields.args.map((arg) => expandPlain(arg, root)), cwd };
}

/** A relative path with a slash is a file of the plugin; a bare name is looked up in PATH by whoever runs it. */
function programOf(command: string, root: string): string | null {
  const expanded = expandPlain(command, root);
  if (path.isAbsolute(expanded) || !expanded.includes("/")) return expanded;
  const place = path.join(root, expanded);
  return place.startsWith(root + path.sep) ? place : null;
}

async function folderOf(
  written: string | undefined,
  root: string,
  entry: string,
  note: Note,
): Promise<string | null | undefined> {
  if (written === undefined) return null;
  const expanded = expandPlain(written, root);
  if (path.isAbsolute(expanded)) return expanded;
  const place = await resolveInside(root, expanded);
  if (place.ok) return place.file;
  note(entry, place.problem);
  return undefined;
}
