/** Finds the stored session that a command is about. */
import { listSessions, type SessionSummary } from "@reasonix-ts/agent";
import type { Parsed } from "./args.ts";
import { workspaceOf } from "./compose.ts";
import { pathsOf } from "./paths.ts";
import { CommandError, type World } from "./world.ts";

/** The one that `--resume` names, else this folder's last. */
export async function storedSession(parsed: Parsed, world: World): Promise<SessionSummary> {
  const dir = pathsOf(world.env).sessions;
  const id = parsed.text("resume");
  if (id !== undefined) return sessionOf(dir, id);
  const last = await lastSession(parsed, world);
  if (last !== null) return last;
  throw new CommandError(`There is no session of ${await workspaceOf(world, parsed)} yet.`);
}

/** This folder's last session, or null. */
export async function lastSession(parsed: Parsed, world: World): Promise<SessionSummary | null> {
  const workspaceRoot = await workspaceOf(world, parsed);
  const [last] = await listSessions(pathsOf(world.env).sessions, { workspaceRoot });
  return last ?? null;
}

export async function sessionOf(dir: string, id: string): Promise<SessionSummary> {
  const found = (await listSessions(dir)).find((session) => session.id === id);
  if (found !== undefined) return found;
  throw new CommandError(`There is no session ${id} in ${dir}. \`reasonix sessions\` lists those of this folder.`);
}
