/** `--output-format stream-json`: one event a line, as the event union has it. */
import { isEventKind } from "@reasonix-ts/events";
import type { Frontend } from "../frontend.ts";
import { NOBODY } from "../nobody.ts";
import type { Output } from "../world.ts";
import { jsonText } from "../json-text.ts";

export function streamJsonPrinter(stdout: Output): Frontend {
  return {
    uiHost: "headless",
    person: NOBODY,
    emit: (event) => {
      if (isEventKind(event.kind)) stdout.write(`${jsonText(event)}\n`);
    },
    close: () => {},
  };
}
