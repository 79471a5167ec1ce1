/** Plugin packages and homes for the command rows. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE_BYTES = 2_000;

/** A package with a skill and `files` other files, fifty a folder. Returns its folder. */
export function makePackage(folder: string, name: string, files: number): string {
  writeManifest(folder, name);
  for (let index = 0; index < files; index += 1) {
    const part = join(folder, "data", String(Math.floor(index / 50)));
    if (index % 50 === 0) mkdirSync(part, { recursive: true });
    writeFileSync(join(part, `${index}.txt`), `${index}\n`.padEnd(FILE_BYTES, "x"));
  }
  return folder;
}

/** A home in which `plugins` packages are linked. Returns the home. */
export function makeHomeWithPlugins(folder: string, plugins: number): string {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const rows = Array.from({ length: plugins }, (_, index) => {
    const name = `bench-plugin-${index}`;
    const root = join(folder, "packages", name);
    writeManifest(root, name);
    const description = "a package that is listed";
    return { name, source: root, root, version: "0.1.0", description, manifestKind: "reasonix", enabled: true };
  });
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  writeFileSync(join(home, "plugin-packages.json"), JSON.stringify({ version: 1, plugins: sorted }));
  return home;
}

function writeManifest(folder: string, name: string): void {
  mkdirSync(join(folder, "skills", "one"), { recursive: true });
  writeFileSync(
    join(folder, "skills", "one", "SKILL.md"),
    "---\nname: one\ndescription: one skill\n---\nDo one thing.\n",
  );
  const manifest = {
    apiVersion: "reasonix.io/plugin/v2",
    name,
    version: "0.1.0",
    description: "a package that is listed",
    contributes: { skills: ["skills/one"] },
  };
  writeFileSync(join(folder, "reasonix-plugin.json"), JSON.stringify(manifest, undefined, 2));
}
