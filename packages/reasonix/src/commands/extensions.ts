/** `reasonix extensions`: who is loaded, at which points and slots, how long each takes, what it changed last. */
import type { Parsed } from "../args.ts";
import { prepare } from "../compose.ts";
import { extensionsLines, extensionsReport } from "../extensions/report.ts";
import { textPrinter } from "../print/text.ts";
import { readReceipts } from "../receipts-file.ts";
import { lastSession } from "../stored-session.ts";
import { EXIT, type World } from "../world.ts";
import { jsonText } from "../json-text.ts";

export async function extensions(parsed: Parsed, world: World): Promise<number> {
  // What the sidecars say while they start goes to stderr, so that stdout holds the report alone.
  const frontend = textPrinter(world.stderr, world.stderr);
  const prepared = await prepare({ world, parsed, command: "extensions", frontend });
  try {
    const last = await lastSession(parsed, world);
    const report = extensionsReport(prepared.extensions.diagnostics(), {
      failures: prepared.failures,
      problems: prepared.problems,
      receipts: last === null ? [] : await readReceipts(last.file),
    });
    world.stdout.write(parsed.flag("json") ? `${jsonText(report, 2)}\n` : `${extensionsLines(report).join("\n")}\n`);
    return report.failures.length > 0 ? EXIT.failed : EXIT.done;
  } finally {
    frontend.close();
    await prepared.extensions.stop();
  }
}
