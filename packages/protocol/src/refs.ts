/** References to models that extensions bring: `plugin/<plugin>/<provider>/<model>`. */

export interface PluginRef {
  readonly plugin: string;
  /** What follows the plugin's name: usually `<provider>/<model>`, where the model may hold slashes. */
  readonly rest: string;
}

const PREFIX = "plugin/";

/** Takes a `plugin/…` reference apart; null for any other text, and where a segment is empty. */
export function parsePluginRef(ref: string): PluginRef | null {
  if (!ref.startsWith(PREFIX)) return null;
  const slash = ref.indexOf("/", PREFIX.length);
  if (slash <= PREFIX.length) return null;
  const rest = ref.slice(slash + 1);
  if (rest.split("/").includes("")) return null;
  return { plugin: ref.slice(PREFIX.length, slash), rest };
}

export function isPluginRef(ref: string): boolean {
  return ref.startsWith(PREFIX);
}
