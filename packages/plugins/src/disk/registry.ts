/** Reads and changes the list of installed plugins; a broken list is kept aside and never replaced by an empty one. */
import { readFile } from "node:fs/promises";
import { readJsonFile, setBrokenAside, withLock, writeJsonFile } from "@reasonix-ts/files";
import { PluginError } from "../error.ts";
import { translated } from "./translate.ts";
import type { Layout } from "./layout.ts";
import { decodeRows, encodeRows, type DecodedRows, type PluginRow } from "./rows.ts";

export interface Registry {
  readonly rows: readonly PluginRow[];
  /** Faults of single entries, which are left alone. */
  readonly problems: readonly string[];
  /** Null while the file is in order. Else `rows` are those that could be saved from it, and none of them may start anything. */
  readonly broken: string | null;
}

/** Takes no lock and writes nothing. A home without the file has no plugins. */
export async function readRegistry(layout: Layout): Promise<Registry> {
  const { decoded, broken } = await translated(() => load(layout));
  return { rows: decoded.rows, problems: decoded.problems, broken };
}

export interface OpenRegistry {
  readonly rows: readonly PluginRow[];
  /** Whether `rows` are all that the file lists: only then a plugin without a row is one that was removed. */
  readonly complete: boolean;
  /** Writes the rows; a broken file is copied aside first. Returns the copy's name, or null. */
  save(rows: readonly PluginRow[]): Promise<string | null>;
}

/**
 * Runs `work` on the rows as they are under the lock of everything below the home that belongs to plugins. The lock
 * waits for a living holder and is taken over from a dead one. Throws PluginError `state_unusable` for a newer file.
 */
export async function withRegistry<Result>(
  layout: Layout,
  purpose: string,
  work: (registry: OpenRegistry) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const patience = { waitMillis: LOCK_WAIT_MILLIS, purpose, ...(signal === undefined ? {} : { signal }) };
  return translated(() =>
    withLock(
      layout.registry,
      async () => {
        const { decoded, broken } = await load(layout);
        if (decoded.newer)
          throw new PluginError("state_unusable", `${broken} It is left alone: use the program that wrote it.`);
        let unsaved = broken;
        return work({
          rows: decoded.rows,
          complete: broken === null && decoded.foreign.length === 0,
          async save(rows) {
            const aside = unsaved === null ? null : await setBrokenAside(layout.registry);
            await writeJsonFile(layout.registry, encodeRows(rows, decoded));
            unsaved = null;
            return aside;
          },
        });
      },
      patience,
    ),
  );
}

/** Holders only rename and write small files; a slow disk with many installers still ends well within it. */
const LOCK_WAIT_MILLIS = 60_000;

async function load(layout: Layout): Promise<{ readonly decoded: DecodedRows; readonly broken: string | null }> {
  const read = await readJsonFile(layout.registry);
  if (read.state === "missing") return { decoded: decodeRows({ version: 1, plugins: [] }), broken: null };
  if (read.state === "broken") return { decoded: await salvage(layout), broken: read.error.message };
  const decoded = decodeRows(read.value);
  if (decoded.unusable === null) return { decoded, broken: null };
  return { decoded, broken: `${layout.registry} cannot be used: ${decoded.unusable}.` };
}

/** Rows that a cut or mistyped file still shows. */
async function salvage(layout: Layout): Promise<DecodedRows> {
  const { parse } = await import("jsonc-parser");
  const empty = { version: 1, plugins: [] };
  try {
    const value: unknown = parse(await readFile(layout.registry, "utf8"));
    const saved = decodeRows(typeof value === "object" ? { ...value, version: 1 } : empty);
    return saved.unusable === null ? saved : decodeRows(empty);
  } catch (error) {
    if (error instanceof RangeError) return decodeRows(empty);
    throw error;
  }
}
