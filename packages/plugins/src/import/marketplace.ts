/** Reads a Claude marketplace: a list of packages, most of them folders of the same repository. */
import { MARKETPLACE_MANIFEST } from "../package/locate.ts";
import { readForeignJson } from "./collect.ts";
import { innerPath, membersOf, textOf, type Members } from "../manifest/members.ts";

interface MarketplaceEntry {
  readonly name: string;
  readonly place:
    /** A folder of the marketplace itself, relative. */
    | { readonly kind: "inside"; readonly folder: string }
    /** A repository at one commit, as a source. */
    | { readonly kind: "pinned"; readonly source: string };
  /** As the marketplace describes it. */
  readonly fields: Members;
}

export type Marketplace =
  | {
      readonly ok: true;
      readonly entries: readonly MarketplaceEntry[];
      readonly skipped: readonly { readonly name: string; readonly reason: string }[];
    }
  | { readonly ok: false; readonly problem: string };

export async function readMarketplace(root: string): Promise<Marketplace> {
  const read = await readForeignJson(root, MARKETPLACE_MANIFEST);
  if (!read.ok) return { ok: false, problem: read.problem };
  const file = membersOf(read.value);
  const plugins = file?.["plugins"];
  if (!Array.isArray(plugins)) return { ok: false, problem: `${MARKETPLACE_MANIFEST}: /plugins is no list` };
  const base = textOf(membersOf(file?.["metadata"])?.["pluginRoot"]);
  const entries: MarketplaceEntry[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const [index, one] of plugins.entries()) {
    const fields = membersOf(one);
    const name = textOf(fields?.["name"]) || `entry ${index + 1}`;
    const entry = fields === null ? "it is no object" : entryOf(name, fields, base);
    if (typeof entry === "string") skipped.push({ name, reason: entry });
    else if (entries.some((other) => other.name === entry.name))
      skipped.push({ name, reason: "the name is listed twice" });
    else entries.push(entry);
  }
  return { ok: true, entries, skipped };
}

function entryOf(name: string, fields: Members, base: string): MarketplaceEntry | string {
  if (fields["strict"] === false)
    return "entries that describe a package in place of its manifest (strict: false) are not read";
  const source = fields["source"];
  if (typeof source === "string") {
    if (/^[a-z][a-z0-9+.-]*:/i.test(source)) return "an address must be pinned to a commit";
    const joined = base === "" || source.startsWith("./") ? source : `${base}/${source}`;
    const folder = innerPath(joined);
    return folder === null
      ? "its folder leads out of the marketplace"
      : { name, place: { kind: "inside", folder }, fields };
  }
  const pinned = membersOf(source);
  const commit = textOf(pinned?.["sha"]) || textOf(pinned?.["ref"]);
  const repository = textOf(pinned?.["repo"]);
  if (textOf(pinned?.["source"]) !== "github" || !/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    return `sources of kind ${JSON.stringify(pinned?.["source"]) ?? "unknown"} are not read`;
  }
  if (!/^[0-9a-f]{40}$/.test(commit)) return "a repository elsewhere must be pinned to a full commit";
  return { name, place: { kind: "pinned", source: `git:github.com/${repository}@${commit}` }, fields };
}
