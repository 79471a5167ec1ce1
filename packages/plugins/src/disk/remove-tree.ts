/** Takes a copied tree away in one step, and its files after that. */
import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { absoluteRoot, isCopy, type Layout } from "./layout.ts";
import { stagingName } from "./staging.ts";

/** Call under the lock. A link's target is never touched. A crash leaves a hidden folder that the next change sweeps. */
export async function removeTree(layout: Layout, root: string): Promise<void> {
  if (!isCopy(root)) return;
  const aside = path.join(layout.plugins, stagingName(process.pid, randomBytes(6).toString("hex")));
  try {
    await rename(absoluteRoot(layout, root), aside);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
