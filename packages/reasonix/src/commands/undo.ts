/** `reasonix undo`: puts the files back as they were before the last turn that changed any. */
import { sessionPaths, undoLastTurn, type UndoReport } from "@reasonix-ts/agent";
import { oneLine } from "@reasonix-ts/text";
import type { Parsed } from "../args.ts";
import { pathsOf } from "../paths.ts";
import { storedSession } from "../stored-session.ts";
import { EXIT, type World } from "../world.ts";
import { jsonText } from "../json-text.ts";

export async function undo(parsed: Parsed, world: World): Promise<number> {
  const { id } = await storedSession(parsed, world);
  const report = await undoLastTurn(sessionPaths(pathsOf(world.env).sessions, id).undo);
  const shown = report ?? { restored: [], removed: [], skipped: [] };
  world.stdout.write(
    parsed.flag("json")
      ? `${jsonText({ session: id, ...shown }, 2)}\n`
      : undoLines(report)
          .map((line) => `${line}\n`)
          .join(""),
  );
  return shown.skipped.length > 0 ? EXIT.failed : EXIT.done;
}

/** What was undone, for people; commands that tools ran are not undone, and that is said. */
export function undoLines(report: UndoReport | null): readonly string[] {
  if (report === null) return ["No turn of this session changed a file that could be put back."];
  return [
    ...report.restored.map((file) => `put back ${oneLine(file)}`),
    ...report.removed.map((file) => `removed ${oneLine(file)}, which the turn had made`),
    ...report.skipped.map((file) => `left ${oneLine(file)}: somebody changed it since`),
    "What commands of that turn did is not undone.",
  ];
}
