/** Looks at an installed plugin as it is on disk now. */
import { digestTree } from "@reasonix-ts/files";
import type { Identity } from "../disk/identities.ts";
import { absoluteRoot, isCopy, type Layout } from "../disk/layout.ts";
import type { PluginRow } from "../disk/rows.ts";
import { pluginEnvironmentNames } from "../environment.ts";
import type { Machine } from "../machine.ts";
import { loadPackage } from "../package/load.ts";
import type { LoadedPackage } from "../package/package.ts";
import { trustBlock, type TrustBlock } from "../trust/block.ts";

export interface Current {
  readonly row: PluginRow;
  readonly root: string;
  readonly loaded: LoadedPackage;
  readonly trust: TrustBlock | null;
  readonly identity: Identity | null;
  /** `intact`: the copy is what was installed. `unknown`: a copy without a recorded digest. `linked`: trusted as it changes. */
  readonly content: "intact" | "changed" | "missing" | "unknown" | "linked";
}

export async function currentOf(
  layout: Layout,
  row: PluginRow,
  identity: Identity | null,
  machine: Machine,
): Promise<Current> {
  const root = absoluteRoot(layout, row.root);
  const loaded = await loadPackage(root);
  const runtime = loaded.ok ? loaded.package.runtime : null;
  const gets = await pluginEnvironmentNames(layout, row.name);
  return {
    row,
    root,
    loaded,
    trust: runtime === null ? null : await trustBlock(runtime, root, root, machine, gets),
    identity,
    content: await contentOf(row, root, identity),
  };
}

async function contentOf(row: PluginRow, root: string, identity: Identity | null): Promise<Current["content"]> {
  if (!isCopy(row.root)) return "linked";
  const digest = await digestTree(root).catch(() => null);
  if (digest === null) return "missing";
  if (identity?.tree === undefined) return "unknown";
  return digest.sha256 === identity.tree.sha256 ? "intact" : "changed";
}
