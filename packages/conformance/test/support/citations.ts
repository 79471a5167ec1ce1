/** Finds what the titles of all tests of the tree cite: requirement ids `[T3]` and cases `[case T-05]`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Citation {
  readonly id: string;
  readonly file: string;
}

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDERS = ["packages", "sdk", "examples", "interop", "scripts"];
const SKIPPED = new Set(["node_modules", "dist", "fixtures"]);

/** A title is the first argument of `test`, `it`, `describe` or what their `each` gives, and begins with its citations. */
const TITLE = /(?:\b(?:test|it|describe)(?:\.\w+)*|[\])])\(\s*["'`]((?:\[[^\]\n]+\]\s*)+)/g;
const ID = /\[(?:case )?([A-Z]-?\d+)\]/g;

export function citationsOfTree(): readonly Citation[] {
  return FOLDERS.flatMap((folder) => testFiles(join(ROOT, folder))).flatMap((path) =>
    citationsIn(readFileSync(path, "utf8")).map((id) => ({ id, file: path.slice(ROOT.length) })),
  );
}

export function citationsIn(source: string): readonly string[] {
  return [...source.matchAll(TITLE)].flatMap(([, titles = ""]) =>
    [...titles.matchAll(ID)].flatMap(([, id]) => (id === undefined ? [] : [id])),
  );
}

function testFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : testFiles(path);
    return entry.name.endsWith(".test.ts") ? [path] : [];
  });
}
