/** `reasonix` without arguments: a conversation, line by line, in any terminal or over a pipe. */
import { stripControls } from "@reasonix-ts/text";
import type { Parsed } from "../args.ts";
import { usage } from "../args.ts";
import { compose } from "../compose.ts";
import { completions } from "../conversation/commands.ts";
import { Conversation } from "../conversation/conversation.ts";
import { Forms } from "../conversation/forms.ts";
import { conversationFrontend } from "../conversation/frontend.ts";
import { resumedLines } from "../conversation/session-commands.ts";
import { LineTerminal } from "../conversation/line-terminal.ts";
import type { Terminal } from "../conversation/terminal.ts";
import { leaveNow } from "../leave.ts";
import { pathsOf } from "../paths.ts";
import type { SessionRuntime } from "../session-runtime.ts";
import { EXIT, type World } from "../world.ts";
import { columnsOf } from "../wrap.ts";
import { chosenSession, opened } from "./run.ts";

export async function chat(parsed: Parsed, world: World): Promise<number> {
  if (parsed.words.length > 0) {
    throw usage("chat", `"${parsed.words.join(" ")}" is no command. To do one task: reasonix run "<task>".`);
  }
  const choice = await chosenSession(parsed, world);
  let conversation: Conversation | null = null;
  let runtime: SessionRuntime | null = null;
  const interrupt = (): void => {
    if (conversation === null) leave();
    else conversation.interrupt();
  };
  const actions = (): readonly string[] =>
    (runtime?.extensions.actions ?? []).map(({ plugin, actionId }) => `${plugin}:${actionId}`);
  const { terminal, remember } = await openTerminal(world, (line) => completions(line, actions()), interrupt);
  let leaving = false;
  const leave = (): void => {
    if (leaving) process.exit(EXIT.interrupted);
    leaving = true;
    terminal.close();
    void leaveNow();
  };
  const hangUp = (): void => {
    if (conversation === null) leave();
    else conversation.end(EXIT.interrupted);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", hangUp);
  process.on("SIGHUP", hangUp);
  const forms = new Forms();
  const frontend = conversationFrontend(terminal, forms, () => columnsOf(world.stdout));
  try {
    runtime = await opened(() => compose({ world, parsed, command: "chat", frontend, choice }));
    conversation = new Conversation({
      terminal,
      runtime,
      world,
      parsed,
      person: frontend.person,
      forms,
      remember,
      leave,
    });
    conversation.say(greeting(runtime, world));
    return await conversation.run();
  } finally {
    terminal.idle(false);
    await runtime?.close();
    // Only now has everything been said: an extension's last words come with its end.
    frontend.close();
    terminal.close();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", hangUp);
    process.off("SIGHUP", hangUp);
  }
}

interface Opened {
  readonly terminal: Terminal;
  readonly remember: (message: string) => Promise<void>;
}

async function openTerminal(
  world: World,
  complete: (line: string) => readonly string[],
  onInterrupt: () => void,
): Promise<Opened> {
  const { stdin, stdout, env } = world;
  const dumb = env["TERM"] === "dumb" || (process.platform !== "win32" && (env["TERM"] ?? "") === "");
  if (stdin.isTTY !== true || stdout.isTTY !== true || dumb) {
    return { terminal: new LineTerminal(stdin, stdout), remember: () => Promise.resolve() };
  }
  const [{ EditedTerminal }, { addToHistory, readHistory }] = await Promise.all([
    import("../conversation/edited-terminal.ts"),
    import("../conversation/history.ts"),
  ]);
  const file = pathsOf(env).history;
  const history = await readHistory(file);
  return {
    terminal: new EditedTerminal({ input: stdin, output: stdout, history, complete, onInterrupt }),
    remember: (message) => addToHistory(file, message),
  };
}

function greeting(runtime: SessionRuntime, { version }: World): readonly string[] {
  const { session, refusal } = runtime;
  return [
    `reasonix ${version}, ${session.model.ref}, in ${session.workspaceRoot}`,
    "/help lists the commands, Ctrl-D leaves.",
    ...(session.entries.length === 0 ? [] : resumedLines(session.id, session.entries)),
    ...(refusal === null ? [] : [refusal, "Here: /extensions disable <plugin>, then /reload. /doctor tells more."]),
  ].map(stripControls);
}
