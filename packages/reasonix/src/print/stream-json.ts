/** `--output-format stream-json`: one event a line, as the event union has it. */
import type { Frontend } from "../frontend.ts";
import { NOBODY } from "../nobody.ts";
import type { Output } from "../world.ts";

export function streamJsonPrinter(stdout: Output): Frontend {
  return {
    uiHost: "headless",
    person: NOBODY,
    emit: (event) => {
      stdout.write(`${JSON.stringify(event)}\n`);
    },
    close: () => {},
  };
}
