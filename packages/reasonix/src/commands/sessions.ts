/** `reasonix sessions`: the stored sessions of this folder, and one of them exported or copied. */
import { exportMarkdown, forkSession, listSessions, readSession, type SessionSummary } from "@reasonix-ts/agent";
import { oneLine, stripControls } from "@reasonix-ts/text";
import type { Parsed } from "../args.ts";
import { usage } from "../args.ts";
import { workspaceOf } from "../compose.ts";
import { pathsOf } from "../paths.ts";
import { sessionOf } from "../stored-session.ts";
import { EXIT, type World } from "../world.ts";
import { jsonText } from "../json-text.ts";

export async function sessions(parsed: Parsed, world: World): Promise<number> {
  const dir = pathsOf(world.env).sessions;
  const [verb, id, ...more] = parsed.words;
  if (more.length > 0) throw usage("sessions", `"${more.join(" ")}" is one word too many.`);
  if (verb === undefined) return list(dir, parsed, world);
  if (verb !== "export" && verb !== "fork") throw usage("sessions", `sessions has no verb "${verb}": export, fork.`);
  if (id === undefined) throw usage("sessions", `sessions ${verb} wants the id of a session.`);
  const { file } = await sessionOf(dir, id);
  if (verb === "fork") {
    const copy = await forkSession(dir, id, Date.now());
    world.stdout.write(parsed.flag("json") ? `${jsonText({ id: copy })}\n` : `${copy}\n`);
    return EXIT.done;
  }
  const { entries } = await readSession(file);
  const text = parsed.flag("json") ? `${jsonText(entries, 2)}\n` : exportMarkdown(`Session ${id}`, entries);
  // A terminal must not obey what models and tools wrote; a file gets it byte for byte.
  world.stdout.write(world.stdout.isTTY === true ? stripControls(text) : text);
  return EXIT.done;
}

async function list(dir: string, parsed: Parsed, world: World): Promise<number> {
  const workspaceRoot = await workspaceOf(world, parsed);
  const found = await listSessions(dir, { workspaceRoot });
  if (parsed.flag("json")) {
    world.stdout.write(`${jsonText(found, 2)}\n`);
  } else if (found.length === 0) {
    world.stdout.write(`There is no session of ${workspaceRoot} yet.\n`);
  } else {
    world.stdout.write(found.map((session) => `${sessionLine(session)}\n`).join(""));
  }
  return EXIT.done;
}

/** At most 77 columns: the id, the last change in UTC, what was first typed. */
export function sessionLine({ id, changedAt, title }: SessionSummary): string {
  const when = new Date(changedAt).toISOString().slice(0, 16).replace("T", " ");
  return `${id}  ${when}  ${cut(oneLine(title), 34)}`.trimEnd();
}

/** Cut to so many UTF-16 units, and never through a character. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
