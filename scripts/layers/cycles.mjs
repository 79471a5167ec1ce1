/** Finds import cycles in a graph of files. */

/** `graph` maps a file to the files that it imports. Returns each group of files that import one another in a ring. */
export function findCycles(graph) {
  /** @type {string[][]} */
  const rings = [];
  const state = { next: 0, index: new Map(), low: new Map(), stack: [], waiting: new Set(), rings };
  for (const file of graph.keys()) if (!state.index.has(file)) visit(graph, file, state);
  return rings;
}

/** Tarjan's algorithm: strongly connected components, those of one file only where it imports itself. */
function visit(graph, file, state) {
  state.index.set(file, state.next);
  state.low.set(file, state.next++);
  state.stack.push(file);
  state.waiting.add(file);
  for (const target of graph.get(file) ?? []) {
    if (!state.index.has(target)) {
      visit(graph, target, state);
      state.low.set(file, Math.min(state.low.get(file), state.low.get(target)));
    } else if (state.waiting.has(target)) {
      state.low.set(file, Math.min(state.low.get(file), state.index.get(target)));
    }
  }
  if (state.low.get(file) !== state.index.get(file)) return;
  const ring = state.stack.splice(state.stack.indexOf(file));
  for (const member of ring) state.waiting.delete(member);
  if (ring.length > 1 || (graph.get(file) ?? []).includes(file)) state.rings.push(ring.toSorted());
}
