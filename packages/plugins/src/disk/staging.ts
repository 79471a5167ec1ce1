/** Names of unfinished trees and notes below `plugins/`, and what of them may be swept (pure). */

/** Hidden, so that nothing takes it for a plugin; names its maker, so that a dead one's is recognised. */
export function stagingName(pid: number, nonce: string): string {
  return `.staging-${pid}-${nonce}`;
}

/** The note that a tree is about to be swapped in, with the row it belongs to. */
export function pendingName(plugin: string): string {
  return `.pending-${plugin}.json`;
}

export type Leftover =
  | { readonly kind: "staging"; readonly name: string; readonly pid: number }
  | { readonly kind: "pending"; readonly name: string; readonly plugin: string }
  /** The unfinished text of a note. */
  | { readonly kind: "draft"; readonly name: string }
  /** A tree that was moved aside by a swap. */
  | { readonly kind: "replaced"; readonly name: string; readonly plugin: string };

/** Everything in the listing of `plugins/` that an interrupted change left. */
export function leftoversIn(names: readonly string[]): readonly Leftover[] {
  const found: Leftover[] = [];
  for (const name of names) {
    const staging = /^\.staging-(\d+)-[0-9a-f]+$/.exec(name);
    if (staging?.[1] !== undefined) found.push({ kind: "staging", name, pid: Number(staging[1]) });
    const pending = /^\.pending-(.+)\.json$/.exec(name);
    if (pending?.[1] !== undefined) found.push({ kind: "pending", name, plugin: pending[1] });
    if (/^\.\.pending-.+\.tmp$/.test(name)) found.push({ kind: "draft", name });
    const replaced = /^\.(.+)\.replaced$/.exec(name);
    if (replaced?.[1] !== undefined) found.push({ kind: "replaced", name, plugin: replaced[1] });
  }
  return found;
}
