/** `reasonix run <task>` and `-p`: one turn, printed as text, as one object, or as one event a line. */
import { SessionError, type SessionChoice } from "@reasonix-ts/agent";
import type { Parsed } from "../args.ts";
import { usage } from "../args.ts";
import { openSession, prepare, workspaceOf, type OpenOptions } from "../compose.ts";
import type { Frontend } from "../frontend.ts";
import { onInterrupt } from "../interrupt.ts";
import { readPluginWord } from "../plugin-word.ts";
import { jsonPrinter, type ReportSources } from "../print/json.ts";
import { streamJsonPrinter } from "../print/stream-json.ts";
import { textPrinter } from "../print/text.ts";
import { readAll } from "../read-all.ts";
import { receiptLine, type ReceiptLine } from "../receipts-file.ts";
import type { SessionRuntime } from "../session-runtime.ts";
import { lastSession } from "../stored-session.ts";
import { CommandError, EXIT, type World } from "../world.ts";
import { runWord } from "./run-word.ts";

export async function run(parsed: Parsed, world: World): Promise<number> {
  const task = await taskOf(parsed, world);
  const choice = await chosenSession(parsed, world);
  const about: About = { sessionId: "", rulings: [] };
  const frontend = printer(parsed, world, { sessionId: () => about.sessionId, rulings: () => about.rulings });
  const interrupt = onInterrupt();
  const { signal } = interrupt;
  try {
    const exitCode = await perform(task, { world, parsed, command: "run", frontend, choice, signal }, about, signal);
    // Only now has everything been said: an extension's last words come with its end.
    frontend.close();
    return signal.aborted ? EXIT.interrupted : exitCode;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    world.stderr.write("reasonix: interrupted before the extensions were started.\n");
    return EXIT.interrupted;
  } finally {
    interrupt.end();
  }
}

/** What the report tells beside the events. */
interface About {
  sessionId: string;
  rulings: readonly ReceiptLine[];
}

/** Settles when what it has started is stopped. */
async function perform(task: string, options: OpenOptions, about: About, signal: AbortSignal): Promise<number> {
  const prepared = await prepare(options);
  let close = (): Promise<void> => prepared.extensions.stop();
  try {
    const word = readPluginWord(task);
    const ran = word === null ? null : await runWord(word, prepared, { ...options, signal });
    if (ran?.kind === "action") return ran.exitCode;
    const runtime = await opened(() => openSession(prepared, options));
    close = () => runtime.close();
    if (runtime.refusal !== null) throw new CommandError(runtime.refusal);
    about.sessionId = runtime.session.id;
    const { outcome } = await runtime.turn(ran?.text ?? task, { signal });
    about.rulings = runtime.receipts.map(receiptLine);
    return outcome === "done" ? EXIT.done : EXIT.failed;
  } finally {
    await close();
  }
}

/** Turns a session's refusal into a text without a stack. */
export async function opened(open: () => Promise<SessionRuntime>): Promise<SessionRuntime> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof SessionError) throw new CommandError(error.message, EXIT.failed, { cause: error });
    throw error;
  }
}

function printer(parsed: Parsed, world: World, sources: ReportSources): Frontend {
  switch (parsed.text("output-format")) {
    case "json":
      return jsonPrinter(world.stdout, sources);
    case "stream-json":
      return streamJsonPrinter(world.stdout);
    default:
      return textPrinter(world.stdout, world.stderr);
  }
}

/** The words of the command line, then what standard input holds. */
async function taskOf(parsed: Parsed, world: World): Promise<string> {
  const words = parsed.words.join(" ");
  const piped = world.stdin.isTTY === true ? "" : (await readAll(world.stdin)).replace(/\n$/, "");
  const task = [words, piped].filter((part) => part !== "").join("\n\n");
  if (task !== "") return task;
  throw usage("run", 'Say what to do: reasonix run "<task>", or pipe it in.');
}

/** `--resume <id>`, or `--continue` with this folder's last session, else a new one. */
export async function chosenSession(parsed: Parsed, world: World): Promise<SessionChoice> {
  const id = parsed.text("resume");
  if (id !== undefined) return { kind: "resume", id };
  if (!parsed.flag("continue")) return { kind: "new" };
  const last = await lastSession(parsed, world);
  if (last !== null) return { kind: "resume", id: last.id };
  throw new CommandError(
    `There is no session of ${await workspaceOf(world, parsed)} to go on with. Start one without --continue.`,
  );
}
