/** Asks all extensions of a new generation for their models, and tells what of their answers is not good. */
import type { HostPorts } from "../ports.ts";
import { askCatalogue, type Catalogue } from "../providers/catalogue.ts";
import type { Seat } from "./seat.ts";
import type { SharedStart } from "./start-all.ts";

/** Given up when the signal fires. By plugin; side by side, so that a slow one costs its own time only once. */
export async function askCatalogues(
  seats: readonly Seat[],
  { ports, start: { redact } }: { readonly ports: HostPorts; readonly start: Pick<SharedStart, "redact"> },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Catalogue>> {
  const asked = await Promise.all(
    seats.map(async ({ plugin, sidecar }) => {
      if (sidecar === null || sidecar.grant.providers.length === 0) return [];
      const { models, problems } = await askCatalogue(sidecar, { signal });
      const shown = problems.map(({ path, text }) => ({ path: redact(path), text: redact(text) }));
      return [[plugin, { models, problems: shown }] as const];
    }),
  );
  const catalogues = new Map(asked.flat());
  for (const [plugin, { problems }] of catalogues) {
    if (problems.length === 0) continue;
    const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : "";
    const list = problems.slice(0, SHOWN).map(({ text }) => text);
    const text = `The catalogue of plugin "${plugin}" is not good in all its parts: ${list.join("; ")}${more}. What is good is used.`;
    ports.notice({ severity: "warn", code: "catalogue_problem", plugin, text });
  }
  return catalogues;
}

/** Problems that the notice names; diagnostics have them all. */
const SHOWN = 3;
