/** Finds the packages that a fetched source stands for: one, or those of a marketplace. */
import path from "node:path";
import { PluginError } from "../error.ts";
import type { Fetched } from "../fetch/fetched.ts";
import type { Marketplace } from "../import/marketplace.ts";
import { loadPackage } from "../package/load.ts";
import { hasMarketplace, manifestKindAt, packagesBelow } from "../package/locate.ts";
import type { LoadedPackage, Package } from "../package/package.ts";
import { resolveInside } from "../package/read-inside.ts";

export interface Selected {
  readonly package: Package;
  /** Recorded as its source, so that an update finds it again. */
  readonly source: string;
  readonly commit: string | null;
}

export interface Selection {
  readonly selected: readonly Selected[];
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

/** Fetches a package that a marketplace keeps elsewhere; the caller owns the place it is put in. */
export type FetchPinned = (source: string) => Promise<Fetched>;

/** `name` replaces the manifest's name, or chooses one package of a marketplace. Throws PluginError `package_invalid`. */
export async function selectPackages(
  fetched: Fetched,
  name: string | null,
  fetchPinned: FetchPinned,
): Promise<Selection> {
  const root = await folderOf(fetched);
  const market = (await hasMarketplace(root)) ? await marketplaceAt(root, name) : null;
  if (market !== null) return fromMarketplace(fetched, root, market, name, fetchPinned);
  if ((await manifestKindAt(root)) === null) throw await nothingHere(fetched, root);
  const found = usable(await loadPackage(root), root);
  return {
    selected: [{ package: name === null ? found : { ...found, name }, source: fetched.label, commit: fetched.commit }],
    skipped: [],
  };
}

async function folderOf(fetched: Fetched): Promise<string> {
  if (fetched.folder === "") return fetched.root;
  const place = await resolveInside(fetched.root, fetched.folder);
  if (!place.ok) throw new PluginError("source_invalid", `${fetched.label}: ${place.problem}.`);
  return place.file;
}

type Market = Extract<Marketplace, { readonly ok: true }>;

/** Null when the root's own package is meant: it has a manifest, and the list names nothing but it. */
async function marketplaceAt(root: string, name: string | null): Promise<Market | null> {
  const { readMarketplace } = await import("../import/marketplace.ts");
  const market = await readMarketplace(root);
  const ownManifest = (await manifestKindAt(root)) !== null;
  if (!market.ok) {
    if (ownManifest) return null;
    throw new PluginError("package_invalid", `The marketplace cannot be read. ${market.problem}.`);
  }
  const elsewhere = market.entries.some(({ place }) => place.kind === "pinned" || place.folder !== ".");
  const chosen = name !== null && market.entries.some((entry) => entry.name === name);
  return ownManifest && !elsewhere && !chosen ? null : market;
}

async function fromMarketplace(
  fetched: Fetched,
  root: string,
  market: Market,
  name: string | null,
  fetchPinned: FetchPinned,
): Promise<Selection> {
  const entries = name === null ? market.entries : market.entries.filter((entry) => entry.name === name);
  if (entries.length === 0) {
    const refused = market.skipped.find((entry) => entry.name === name);
    const known = market.entries.map((entry) => entry.name).join(", ") || "none";
    const why = refused === undefined ? `it lists: ${known}` : refused.reason;
    throw new PluginError(
      "package_invalid",
      `${fetched.label} is a marketplace from which ${name ?? "nothing"} cannot be installed: ${why}.`,
    );
  }
  const { loadClaude } = await import("../import/claude.ts");
  const selected: Selected[] = [];
  const skipped = name === null ? [...market.skipped] : [];
  for (const entry of entries) {
    try {
      const pinned = entry.place.kind === "pinned" ? await fetchPinned(entry.place.source) : null;
      const folder = entry.place.kind === "inside" ? entry.place.folder : "";
      const at = pinned ?? { ...fetched, root, folder };
      const place = await folderOf(at);
      const native = await manifestKindAt(place);
      const loaded =
        native === null || native === "claude" ? await loadClaude(place, entry.fields) : await loadPackage(place);
      const found = { ...usable(loaded, place), name: entry.name };
      // Without a manifest of its own only the list tells what the folder is: the list stays its source.
      const source = native === null ? fetched.label : (pinned?.label ?? below(fetched, folder));
      selected.push({ package: found, source, commit: at.commit });
    } catch (error) {
      if (!(error instanceof PluginError) || name !== null) throw error;
      skipped.push({ name: entry.name, reason: error.message });
    }
  }
  return { selected, skipped };
}

/** The address of a folder of the source. */
function below(fetched: Fetched, folder: string): string {
  if (folder === "." || folder === "") return fetched.label;
  if (fetched.local) return path.join(fetched.root, folder);
  if (fetched.commit === null) return `${fetched.label} (${folder})`;
  const [, repository = fetched.label, ref = "HEAD"] = /^(.+?\/.+)@([^@/]+)$/.exec(fetched.label) ?? [];
  return `${repository}/tree/${ref}/${fetched.folder === "" ? "" : `${fetched.folder}/`}${folder}`;
}

function usable(loaded: LoadedPackage, root: string): Package {
  if (loaded.ok) return loaded.package;
  const problems = loaded.problems.map((problem) => `\n  ${problem}`).join("");
  throw new PluginError("package_invalid", `${path.join(root, loaded.file)} cannot be used:${problems}`);
}

async function nothingHere(fetched: Fetched, root: string): Promise<PluginError> {
  const found = await packagesBelow(root);
  const wanted = "no reasonix-plugin.json, .claude-plugin/plugin.json or .codex-plugin/plugin.json";
  if (found.length === 0)
    return new PluginError("package_invalid", `${fetched.label} holds ${wanted}, nor does a folder below it.`);
  const lines = found
    .map((folder) => `\n  reasonix plugin install ${below(fetched.local ? { ...fetched, root } : fetched, folder)}`)
    .join("");
  return new PluginError(
    "package_invalid",
    `${fetched.label} holds ${wanted} at its root. Packages were found below it; install one of them:${lines}`,
  );
}
