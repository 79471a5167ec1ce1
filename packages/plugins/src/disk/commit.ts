/** Puts a staged tree and its row in place together: whenever the process dies, the old plugin or the new one is whole. */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { digestTree, readJsonFile, recoverSwap, swapTree, sweepLeftovers, writeJsonFile } from "@reasonix-ts/files";
import { processIsAlive } from "@reasonix-ts/process";
import { decodeIdentity, readIdentities, saveIdentities, type Identity } from "./identities.ts";
import { copiedRoot, type Layout } from "./layout.ts";
import { removeTree } from "./remove-tree.ts";
import type { OpenRegistry } from "./registry.ts";
import { decodeRows, encodeRows, type PluginRow } from "./rows.ts";
import { leftoversIn, pendingName } from "./staging.ts";

/**
 * Call under the lock. The note is written first, so that a later process can finish: it holds the row and the
 * digest by which the new tree is recognised.
 */
export async function commitCopy(
  layout: Layout,
  registry: OpenRegistry,
  staged: string,
  row: PluginRow,
  identity: Identity,
): Promise<string | null> {
  const note = path.join(layout.plugins, pendingName(row.name));
  await writeJsonFile(note, { file: encodeRows([row], { foreign: [], more: {} }), identity });
  await swapTree(staged, path.join(layout.home, copiedRoot(row.name)));
  const aside = await record(layout, registry, row, identity);
  await rm(note, { force: true });
  return aside;
}

/** Call under the lock. Finishes or undoes what a dead process left, and returns the rows as they then are. */
export async function recover(layout: Layout, registry: OpenRegistry): Promise<readonly PluginRow[]> {
  const leftovers = leftoversIn(await listing(layout));
  let rows = registry.rows;
  for (const one of leftovers) {
    if (one.kind === "replaced") await recoverSwap(path.join(layout.plugins, one.plugin));
  }
  for (const one of leftovers) {
    if (one.kind !== "pending") continue;
    const note = path.join(layout.plugins, one.name);
    const pending = await readNote(note);
    if (pending !== null && (await arrived(layout, pending))) {
      const row = withSwitchOf(rows, pending.row);
      await record(layout, { ...registry, rows }, row, pending.identity);
      rows = withRow(rows, row);
    }
    await rm(note, { force: true });
  }
  for (const one of leftovers) {
    if (one.kind === "staging" && !processIsAlive(one.pid)) {
      await rm(path.join(layout.plugins, one.name), { recursive: true, force: true });
    }
  }
  if (leftovers.length > 0) await sweepLeftovers(layout.plugins);
  if (registry.complete) await sweepRemoved(layout, rows);
  return rows;
}

/** A removal drops the row first and what is known of the plugin last: what lies between was cut, and is finished. */
async function sweepRemoved(layout: Layout, rows: readonly PluginRow[]): Promise<void> {
  const identities = new Map(await readIdentities(layout));
  const gone = [...identities.keys()].filter((name) => !rows.some((row) => row.name === name));
  for (const name of gone) {
    const root = copiedRoot(name);
    const ours = identities.get(name)?.tree !== undefined && !rows.some((row) => row.root === root);
    if (ours) await removeTree(layout, root);
    identities.delete(name);
  }
  if (gone.length > 0) await saveIdentities(layout, identities);
}

/** The note may be older than the last turn of the switch, by another program for instance: the switch stands. */
function withSwitchOf(rows: readonly PluginRow[], row: PluginRow): PluginRow {
  const known = rows.find(({ name }) => name === row.name);
  return known === undefined ? row : { ...row, enabled: known.enabled, more: known.more };
}

/** Whether an interrupted change waits to be finished; reads one directory. */
export async function needsRecovery(layout: Layout): Promise<boolean> {
  return leftoversIn(await listing(layout)).some(({ kind }) => kind === "pending" || kind === "replaced");
}

/** The rows with one put in or replaced; the name decides, whatever its case. */
function withRow(rows: readonly PluginRow[], row: PluginRow): readonly PluginRow[] {
  return [...rows.filter(({ name }) => name.toLowerCase() !== row.name.toLowerCase()), row];
}

/** Call under the lock. Writes what is known of a plugin, and then its row. */
export async function record(
  layout: Layout,
  registry: OpenRegistry,
  row: PluginRow,
  identity: Identity,
): Promise<string | null> {
  const identities = new Map(await readIdentities(layout));
  identities.set(row.name, identity);
  await saveIdentities(layout, identities);
  return registry.save(withRow(registry.rows, row));
}

interface Pending {
  readonly row: PluginRow;
  readonly identity: Identity;
}

async function readNote(note: string): Promise<Pending | null> {
  const read = await readJsonFile(note);
  if (read.state !== "valid" || typeof read.value !== "object" || read.value === null) return null;
  const [row] = "file" in read.value ? decodeRows(read.value.file).rows : [];
  const identity = "identity" in read.value ? decodeIdentity(read.value.identity) : null;
  return row === undefined || identity === null ? null : { row, identity };
}

/** The tree itself says whether the swap had happened. */
async function arrived(layout: Layout, { row, identity }: Pending): Promise<boolean> {
  try {
    return (await digestTree(path.join(layout.home, copiedRoot(row.name)))).sha256 === identity.tree?.sha256;
  } catch {
    // No tree, or one that cannot be read: either way not the one that was announced.
    return false;
  }
}

async function listing(layout: Layout): Promise<readonly string[]> {
  return readdir(layout.plugins).catch(() => []);
}
