/** Compares the workspace's manifests with the lock file: where they differ, `npm ci` on a fresh clone would fail. */

const KINDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** `locked` is the lock file's table of packages, by folder. Returns sentences. */
export function judgeLock(packages, locked) {
  return packages.flatMap(({ folder, manifest }) => {
    const entry = locked[folder];
    const mend = "run `npm install --ignore-scripts` and commit package-lock.json";
    if (entry === undefined) return [`package-lock.json: has no entry for ${folder}; ${mend}`];
    return KINDS.filter((kind) => !sameEntries(manifest[kind] ?? {}, entry[kind] ?? {})).map(
      (kind) => `package-lock.json: ${kind} of ${folder} differ from its package.json; ${mend}`,
    );
  });
}

function sameEntries(a, b) {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}
