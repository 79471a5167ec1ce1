/** Every measurement of the host, one after another. */
import type { Row } from "../measure/rows.ts";
import { measureCold } from "./cold.ts";
import { measureContent } from "./content.ts";
import type { Effort } from "./effort.ts";
import { measureFanOut, measureSlowObserver } from "./observers.ts";
import { measureRulings } from "./rulings.ts";
import { measureStarts } from "./starts.ts";
import { measureStream } from "./streams.ts";

/** One side waits for the other. */
export async function measureCalls(effort: Effort): Promise<readonly Row[]> {
  return [...(await measureRulings(1, effort)), ...(await measureRulings(8, effort)), ...measureCold(effort)];
}

/** Both sides work at once. */
export async function measureFlows(effort: Effort): Promise<readonly Row[]> {
  return [
    ...(await measureFanOut(effort)),
    ...(await measureSlowObserver(effort)),
    ...(await measureStream(effort)),
    ...(await measureContent(effort)),
    ...(await measureStarts(effort)),
  ];
}
