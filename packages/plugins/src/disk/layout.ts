/** Where things of plugins lie below the home directory. */
import path from "node:path";

export interface Layout {
  /** Absolute. */
  readonly home: string;
  /** The list of installed plugins, which is the trust record; shared with other hosts. */
  readonly registry: string;
  /** What was copied from where, with its digest; ours alone. */
  readonly identities: string;
  /** Copied trees, one folder a plugin. */
  readonly plugins: string;
  /** Variables for single plugins. */
  readonly environment: string;
}

export function layoutOf(home: string): Layout {
  const absolute = path.resolve(home);
  return {
    home: absolute,
    registry: path.join(absolute, "plugin-packages.json"),
    identities: path.join(absolute, "plugin-digests.json"),
    plugins: path.join(absolute, "plugins"),
    environment: path.join(absolute, "plugin-env"),
  };
}

/** The root that a copied plugin's row names, relative to the home. */
export function copiedRoot(name: string): string {
  return `plugins/${name}`;
}

/** Where a row's root is. */
export function absoluteRoot(layout: Layout, root: string): string {
  return path.isAbsolute(root) ? root : path.join(layout.home, ...root.split("/"));
}

/** Whether a row's root is a copy of ours, which may be replaced and removed; a link's target is never touched. */
export function isCopy(root: string): boolean {
  return /^plugins\/[^/]+$/.test(root) && !root.endsWith("/..") && !root.endsWith("/.");
}

/** A file of the user's home that the plugin's environment is read from. */
export function environmentFile(layout: Layout, name: string): string {
  return path.join(layout.environment, `${name}.env`);
}
