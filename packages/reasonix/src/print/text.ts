/** `--output-format text`: the answer on stdout, everything else as plain lines on stderr. */
import type { AgentEvent } from "@reasonix-ts/events";
import { stripControls } from "@reasonix-ts/text";
import type { Frontend } from "../frontend.ts";
import { NOBODY } from "../nobody.ts";
import type { Output } from "../world.ts";
import { columnsOf, wrapLines } from "../wrap.ts";
import { fittedLines } from "./event-lines.ts";
import { StatusBoard } from "./status-board.ts";

export function textPrinter(stdout: Output, stderr: Output): Frontend {
  const board = new StatusBoard();
  let open = false;

  const answer = (text: string): void => {
    if (text === "") return;
    // A terminal must not obey what a model says; a pipe gets the answer byte for byte.
    stdout.write(stdout.isTTY === true ? stripControls(text) : text);
    open = !text.endsWith("\n");
  };
  const endLine = (): void => {
    if (open) stdout.write("\n");
    open = false;
  };
  const tell = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    endLine();
    stderr.write(`${lines.map(stripControls).join("\n")}\n`);
  };

  return {
    uiHost: "headless",
    person: NOBODY,
    emit(event: AgentEvent) {
      const main = event.agent === undefined || event.agent === "main";
      switch (event.kind) {
        case "text":
          if (main) answer(event.text);
          return;
        case "message":
          if (main && event.replaced === true) {
            tell(["the answer was changed by an extension:"]);
            answer(event.text);
          }
          endLine();
          return;
        case "extension_surface":
          tell(wrapLines(board.take(event.surface), columnsOf(stderr)));
          return;
        case "turn_done":
          endLine();
          tell(wrapLines(board.rest(), columnsOf(stderr)));
          tell(fittedLines(event, columnsOf(stderr)));
          return;
        default:
          tell(fittedLines(event, columnsOf(stderr)));
      }
    },
    close() {
      endLine();
      tell(wrapLines(board.rest(), columnsOf(stderr)));
    },
  };
}
