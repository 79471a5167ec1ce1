/** The rows of `plugin-packages.json`: decoding that loses nothing, and encoding that keeps what others wrote (pure). */
import { membersOf } from "../manifest/members.ts";
import { isInnerPath, isPluginName } from "../manifest/fields.ts";

/** An installed plugin. */
export interface PluginRow {
  readonly name: string;
  readonly source: string;
  /** Relative to the home for a copy, absolute for a link. */
  readonly root: string;
  readonly version: string;
  readonly description: string;
  readonly manifestKind: string;
  readonly enabled: boolean;
  /** Members that this version does not know, kept as they are. */
  readonly more: { readonly [member: string]: unknown };
}

export interface DecodedRows {
  readonly rows: readonly PluginRow[];
  /** Entries that are no rows; they are written back as they came. */
  readonly foreign: readonly unknown[];
  readonly more: { readonly [member: string]: unknown };
  readonly problems: readonly string[];
  /** Null when the file as a whole has the known shape. */
  readonly unusable: string | null;
  /** True when another version of the program wrote it: it must not be changed. */
  readonly newer: boolean;
}

const KNOWN = new Set(["name", "source", "root", "version", "description", "manifestKind", "enabled"]);

export function decodeRows(value: unknown): DecodedRows {
  const none = { rows: [], foreign: [], more: {}, problems: [], newer: false };
  const file = membersOf(value);
  if (file === null) return { ...none, unusable: "it holds no JSON object" };
  const { version, plugins, ...more } = file;
  if (version !== 1) {
    const newer = typeof version === "number" && version > 1;
    return {
      ...none,
      newer,
      unusable: `its version is ${JSON.stringify(version) ?? "missing"}, and this program reads version 1`,
    };
  }
  if (plugins !== undefined && plugins !== null && !Array.isArray(plugins)) {
    return { ...none, unusable: "its member plugins is no list" };
  }
  const rows: PluginRow[] = [];
  const foreign: unknown[] = [];
  const problems: string[] = [];
  const names = new Set<string>();
  for (const [index, entry] of (plugins ?? []).entries()) {
    const row = decodeRow(entry);
    const fault =
      typeof row === "string" ? row : names.has(row.name.toLowerCase()) ? `${row.name} is listed twice` : null;
    if (typeof row === "string" || fault !== null) {
      problems.push(`entry ${index + 1}: ${fault ?? "unreadable"}`);
      foreign.push(entry);
      continue;
    }
    names.add(row.name.toLowerCase());
    rows.push(row);
  }
  return { rows: sortedRows(rows), foreign, more, problems, unusable: null, newer: false };
}

/** The file's value: rows by name, then what is not ours to understand. */
export function encodeRows(rows: readonly PluginRow[], kept: Pick<DecodedRows, "foreign" | "more">): unknown {
  return {
    version: 1,
    plugins: [...sortedRows(rows).map(encodeRow), ...kept.foreign],
    ...kept.more,
  };
}

/** By name, compared by code unit. */
function sortedRows(rows: readonly PluginRow[]): readonly PluginRow[] {
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Names are unique regardless of case: some file systems would keep two such trees in one place. */
export function findRow(rows: readonly PluginRow[], name: string): PluginRow | undefined {
  return rows.find((row) => row.name === name) ?? rows.find((row) => row.name.toLowerCase() === name.toLowerCase());
}

function decodeRow(entry: unknown): PluginRow | string {
  const fields = membersOf(entry);
  if (fields === null) return "it is no object";
  const { name, root } = fields;
  if (typeof name !== "string" || !isPluginName(name))
    return `its name ${JSON.stringify(name) ?? "is missing and"} is no plugin name`;
  if (typeof root !== "string" || root === "") return `${name} has no root`;
  const absolute = root.startsWith("/") || /^[A-Za-z]:[\\/]/.test(root);
  if (!absolute && !isInnerPath(root.replaceAll("\\", "/"))) return `the root of ${name} leads out of the home`;
  const text = (member: string): string => (typeof fields[member] === "string" ? fields[member] : "");
  return {
    name,
    source: text("source"),
    root: absolute ? root : root.replaceAll("\\", "/"),
    version: text("version"),
    description: text("description"),
    manifestKind: text("manifestKind") || "reasonix",
    // Starting a program takes a plain yes: a row without one is off.
    enabled: fields["enabled"] === true,
    more: Object.fromEntries(Object.entries(fields).filter(([member]) => !KNOWN.has(member))),
  };
}

/** Empty texts are left out, as the reference leaves them out. */
function encodeRow(row: PluginRow): unknown {
  return {
    name: row.name,
    source: row.source,
    root: row.root,
    ...(row.version === "" ? {} : { version: row.version }),
    ...(row.description === "" ? {} : { description: row.description }),
    manifestKind: row.manifestKind,
    enabled: row.enabled,
    ...row.more,
  };
}
