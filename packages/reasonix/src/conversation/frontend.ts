/** Events as a conversation shows them: the answer as it comes, everything else as plain lines. */
import type { AgentEvent } from "@reasonix-ts/events";
import { stripControls } from "@reasonix-ts/text";
import type { Frontend } from "../frontend.ts";
import { fittedLines } from "../print/event-lines.ts";
import { StatusBoard } from "../print/status-board.ts";
import type { Forms } from "./forms.ts";
import { wrapLines } from "../wrap.ts";
import { personAt } from "./person.ts";
import type { Terminal } from "./terminal.ts";

/** `columns` gives how wide the screen is now, or null where there is none. */
export function conversationFrontend(
  terminal: Terminal,
  forms: Forms,
  columns: () => number | null = () => null,
): Frontend {
  const board = new StatusBoard();
  const tell = (lines: readonly string[]): void => {
    if (lines.length > 0) terminal.say(lines.flatMap((line) => stripControls(line).split("\n")));
  };
  return {
    uiHost: "tui",
    person: personAt(terminal),
    emit(event: AgentEvent) {
      const main = event.agent === undefined || event.agent === "main";
      switch (event.kind) {
        case "text":
          if (main) terminal.stream(stripControls(event.text));
          return;
        case "message":
          if (main && event.replaced === true) {
            tell(["the answer was changed by an extension:", event.text]);
          }
          return;
        case "extension_surface":
          forms.take(event.surface);
          tell(wrapLines(board.take(event.surface), columns()));
          if (event.surface.kind === "form") tell([`  /fill ${event.surface.plugin} fills it in.`]);
          return;
        case "turn_done":
          tell(wrapLines(board.rest(), columns()));
          tell(fittedLines(event, columns()));
          return;
        default:
          tell(fittedLines(event, columns()));
      }
    },
    close() {
      tell(wrapLines(board.rest(), columns()));
    },
  };
}
