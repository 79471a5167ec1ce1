/** What every check may look at. */
import type { Current } from "../install/current.ts";
import type { Machine } from "../machine.ts";
import type { Package } from "../package/package.ts";
import type { Finding } from "./finding.ts";

export interface CheckContext {
  readonly machine: Machine;
  readonly current: Current;
  /** Null when the manifest cannot be used. */
  readonly found: Package | null;
  /** Names of tools that the host itself has; null when the caller does not know. */
  readonly knownTools: readonly string[] | null;
  /** PATH of a login shell, when known. */
  readonly loginPath: string | null;
  /** Tools that enabled plugins serve, by the names that slots use. */
  readonly pluginTools: readonly string[];
  /** Names of enabled plugins. */
  readonly enabledPlugins: readonly string[];
}

/** A small look at one plugin; starts nothing. */
export type Check = (context: CheckContext) => Promise<readonly Finding[]> | readonly Finding[];
