/** Translates hooks files of the Claude format; what cannot be kept is listed, never widened (pure). */
import {
  HOOK_SHELLS,
  isHookEvent,
  isPattern,
  reachesEveryTool,
  type HookFields,
  type HookShell,
} from "../manifest/hook-fields.ts";
import type { Skipped } from "../package/package.ts";
import { membersOf, variablesOf, type Members } from "../manifest/members.ts";

export interface ImportedHooks {
  readonly hooks: { readonly [event: string]: readonly HookFields[] };
  readonly skipped: readonly Skipped[];
  readonly count: number;
}

/** `file` names the place in messages. The value is `{hooks: {Event: […]}}` or the events themselves. */
export function claudeHooks(value: unknown, file: string): ImportedHooks {
  const root = membersOf(value);
  const events = root === null ? null : (membersOf(root["hooks"]) ?? root);
  if (events === null) return { hooks: {}, skipped: [{ entry: file, reason: "it holds no JSON object" }], count: 0 };
  const hooks: { [event: string]: HookFields[] } = {};
  const skipped: Skipped[] = [];
  let count = 0;
  for (const [event, groups] of Object.entries(events)) {
    const at = `${file}#/${event}`;
    if (event === "description" && typeof groups === "string") continue;
    if (!isHookEvent(event)) {
      skipped.push({ entry: at, reason: "no such event here" });
      continue;
    }
    if (!Array.isArray(groups)) {
      skipped.push({ entry: at, reason: "it is no list" });
      continue;
    }
    for (const [index, group] of groups.entries()) {
      const imported = hookGroup(membersOf(group), `${at}/${index}`, skipped);
      count += imported.length;
      (hooks[event] ??= []).push(...imported);
    }
  }
  return { hooks, skipped, count };
}

function hookGroup(group: Members | null, at: string, skipped: Skipped[]): readonly HookFields[] {
  if (group === null) {
    skipped.push({ entry: at, reason: "it is no object" });
    return [];
  }
  const match = matchOf(group["matcher"]);
  if (match === null) {
    skipped.push({ entry: `${at}/matcher`, reason: "it is no regular expression, so nothing of the group is used" });
    return [];
  }
  const items = Array.isArray(group["hooks"]) ? group["hooks"] : [];
  return items.flatMap((item, index) => {
    const hook = hookItem(membersOf(item) ?? {}, `${at}/hooks/${index}`, skipped);
    return hook === null ? [] : [{ ...hook, ...(match === "" ? {} : { match }) }];
  });
}

/** Empty for every tool; null when it cannot be read. */
function matchOf(matcher: unknown): string | null {
  if (matcher === undefined || matcher === null) return "";
  if (typeof matcher === "string" && reachesEveryTool(matcher)) return "";
  return typeof matcher === "string" && isPattern(matcher) ? matcher : null;
}

const READ = new Set(["type", "command", "args", "shell", "timeout", "async", "env", "statusMessage", "description"]);

function hookItem(item: Members, at: string, skipped: Skipped[]): HookFields | null {
  const skip = (reason: string): null => {
    skipped.push({ entry: at, reason });
    return null;
  };
  if (item["type"] !== undefined && item["type"] !== "command")
    return skip(`hooks of type ${JSON.stringify(item["type"])} are not run here`);
  if (typeof item["command"] !== "string" || item["command"] === "") return skip("it has no command");
  // A condition that is not evaluated would let the hook run for more than was written.
  if (item["if"] !== undefined) return skip("its condition (if) is not evaluated here");
  for (const member of Object.keys(item)) {
    if (!READ.has(member)) skipped.push({ entry: `${at}/${member}`, reason: "not used here; the hook itself is" });
  }
  const args = Array.isArray(item["args"]) ? item["args"].filter((arg) => typeof arg === "string") : null;
  const shell = shellOf(item["shell"]);
  if (shell === null) return skip(`no such shell: ${JSON.stringify(item["shell"])}`);
  const seconds = item["timeout"];
  return {
    command: item["command"],
    ...(args === null ? { shell } : { args }),
    ...(typeof seconds === "number" && seconds > 0 ? { timeout: Math.round(seconds * 1_000) } : {}),
    ...(item["async"] === true ? { async: true } : {}),
    ...(membersOf(item["env"]) === null ? {} : { env: variablesOf(item["env"]) }),
  };
}

function shellOf(value: unknown): HookShell | null {
  if (value === undefined) return "auto";
  return HOOK_SHELLS.find((shell) => shell === value) ?? null;
}

/** Joins hooks of two files; an equal hook counts once. */
export function joinHooks(first: ImportedHooks["hooks"], second: ImportedHooks["hooks"]): ImportedHooks["hooks"] {
  const joined: { [event: string]: HookFields[] } = {};
  for (const [event, hooks] of [...Object.entries(first), ...Object.entries(second)]) {
    const list = (joined[event] ??= []);
    const known = new Set(list.map((hook) => JSON.stringify(hook)));
    list.push(...hooks.filter((hook) => !known.has(JSON.stringify(hook))));
  }
  return joined;
}
