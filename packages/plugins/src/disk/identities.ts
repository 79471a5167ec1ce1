/** What was authorized at each install: the digest of a copied tree, its commit, what its runtime claimed. */
import { readJsonFile, setBrokenAside, writeJsonFile } from "@reasonix-ts/files";
import {
  boolean,
  decode,
  integer,
  json,
  list,
  matching,
  nonEmpty,
  object,
  optional,
  record,
  type Infer,
} from "@reasonix-ts/protocol";
import type { Layout } from "./layout.ts";

const Identity = object({
  /** Absent for a link, whose content is trusted as it changes. */
  tree: optional(
    object({
      /** Over the tree as `digestTree` of the files package counts it. */
      sha256: matching(/^[0-9a-f]{64}$/, "64 lower-case hex digits"),
      files: integer({ min: 0 }),
      bytes: integer({ min: 0 }),
    }),
  ),
  /** The commit that a git source stood at. */
  commit: optional(nonEmpty),
  /** What its runtime claimed when it was authorized, for the day when its manifest cannot be read. */
  runtime: optional(object({ required: boolean, replaces: list(nonEmpty) })),
});
/** What is known of an installed plugin beside its row. */
export type Identity = Infer<typeof Identity>;

export type Identities = ReadonlyMap<string, Identity>;

const IdentityFile = object({ version: integer({ min: 1, max: 1 }), plugins: record(json) });

/** Entries that cannot be read count as absent: a row without one runs, and nothing can be said of its tree. */
export async function readIdentities(layout: Layout): Promise<Identities> {
  return (await load(layout)).identities;
}

/** Call under the lock of the registry. */
export async function saveIdentities(layout: Layout, identities: Identities): Promise<void> {
  const { broken } = await load(layout);
  if (broken) await setBrokenAside(layout.identities);
  const sorted = [...identities].sort(([a], [b]) => (a < b ? -1 : 1));
  await writeJsonFile(layout.identities, { version: 1, plugins: Object.fromEntries(sorted) });
}

export function decodeIdentity(value: unknown): Identity | null {
  const decoded = decode(Identity, value);
  return decoded.ok ? decoded.value : null;
}

async function load(layout: Layout): Promise<{ readonly identities: Identities; readonly broken: boolean }> {
  const read = await readJsonFile(layout.identities);
  if (read.state === "missing") return { identities: new Map(), broken: false };
  if (read.state === "broken") return { identities: new Map(), broken: true };
  const file = decode(IdentityFile, read.value);
  if (!file.ok) return { identities: new Map(), broken: true };
  const identities = new Map<string, Identity>();
  for (const [name, value] of Object.entries(file.value.plugins)) {
    const identity = decodeIdentity(value);
    if (identity !== null) identities.set(name, identity);
  }
  return { identities, broken: false };
}
