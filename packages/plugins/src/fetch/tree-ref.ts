/** Tells ref and folder apart in `<ref>/<path>` (pure). */

/** A ref may hold slashes: the longest one that exists wins; without any the first segment is taken for a ref. */
export function splitTree(rest: string, refs: readonly string[]): { readonly ref: string; readonly folder: string } {
  const known = refs.filter((ref) => rest === ref || rest.startsWith(`${ref}/`)).sort((a, b) => b.length - a.length);
  const ref = known[0] ?? rest.split("/", 1)[0] ?? rest;
  return { ref, folder: rest.slice(ref.length + 1) };
}
