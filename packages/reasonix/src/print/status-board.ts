/** Holds the last value of each status surface, so that a status that changes often is told once at first and once at the end. */
import type { Surface } from "@reasonix-ts/events";
import { surfaceLines } from "../surface-text.ts";

export class StatusBoard {
  readonly #last = new Map<string, { shown: string; latest: string }>();

  /** The lines to show now: a status only when it is new, other kinds whenever their text changed. */
  take(surface: Surface): readonly string[] {
    const key = `${surface.plugin}/${surface.surfaceId}/${surface.kind}`;
    const lines = surfaceLines(surface);
    const text = lines.join("\n");
    const before = this.#last.get(key);
    if (before === undefined) {
      this.#last.set(key, { shown: text, latest: text });
      return lines;
    }
    before.latest = text;
    return [];
  }

  /** The lines whose latest value was not shown yet. */
  rest(): readonly string[] {
    const lines: string[] = [];
    for (const entry of this.#last.values()) {
      if (entry.latest === entry.shown) continue;
      entry.shown = entry.latest;
      lines.push(...entry.latest.split("\n"));
    }
    return lines;
  }
}
