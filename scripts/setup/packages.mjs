/** Installs the npm packages when they are absent or not those of the lock file. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const INSTALL_DEADLINE = 10 * 60_000;

/** Runs `npm ci` where it is needed. Throws an error that says what to do when that fails. */
export function providePackages(root) {
  const difference = firstDifference(readPackages(root, "package-lock.json"), installedPackages(root));
  if (difference === null) return;
  console.log(`npm ci: ${difference}`);
  const { status, signal, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    timeout: INSTALL_DEADLINE,
  });
  if (status !== 0) throw new Error(`npm ci failed (${error?.message ?? signal ?? status}); its output is above`);
}

/**
 * Compares what the lock file wants with what npm wrote down when it installed; returns a sentence or null.
 * Times of files say nothing here: a checkout and an install both touch them. Optional packages may be absent.
 */
export function firstDifference(wanted, installed) {
  if (installed === null) return "node_modules is absent";
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes("node_modules/")) continue;
    const present = installed[path];
    if (present === undefined) {
      if (entry.optional === true || entry.devOptional === true || entry.peer === true) continue;
      return `${path} is not installed`;
    }
    if (present.version !== entry.version) return `${path} is ${present.version}, the lock file wants ${entry.version}`;
  }
  return null;
}

function installedPackages(root) {
  try {
    return readPackages(root, "node_modules/.package-lock.json");
  } catch {
    // Absent or unreadable: either way npm has to install.
    return null;
  }
}

function readPackages(root, file) {
  return JSON.parse(readFileSync(join(root, file), "utf8")).packages;
}
