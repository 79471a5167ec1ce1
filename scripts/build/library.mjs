/** Makes of a workspace package one that installs alone: other packages bundled in, types beside it. */
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOf, tsdown } from "./tsdown.mjs";

const SOURCE = "@reasonix-ts/source";
const OWN = "@reasonix-ts/";
const CONFIG = fileURLToPath(new URL("library.config.mjs", import.meta.url));

/**
 * Stages `packages/<name>` in `.cache/packages/<name>`, ready for `npm pack`, and gives that folder; kept when nothing
 * that it is made of has changed.
 */
export async function stageLibrary(root, name) {
  const folder = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const staged = join(root, ".cache/packages", name);
  const stamp = join(root, ".cache/packages", `${name}.digest`);
  const digest = digestOf(root, inputsOf(root, name, manifest));
  if (existsSync(staged) && existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return staged;

  const draft = `${staged}.${process.pid}.draft`;
  try {
    await mkdir(draft, { recursive: true });
    const entries = [...Object.values(manifest.exports).map((target) => target[SOURCE]), ...programOf(folder)];
    const args = ["--config", CONFIG, ...entries.map((entry) => join(folder, entry))];
    await tsdown(root, folder, join(draft, "dist"), args);
    for (const file of manifest.files.filter((file) => file !== "dist" && existsSync(join(folder, file)))) {
      await cp(join(folder, file), join(draft, file), { recursive: true });
    }
    await cp(join(root, "LICENSE"), join(draft, "LICENSE"));
    await writeFile(join(draft, "package.json"), `${JSON.stringify(publicManifest(manifest), null, 2)}\n`);
    await rm(staged, { recursive: true, force: true });
    await rename(draft, staged);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await writeFile(stamp, digest);
  return staged;
}

/** What the tree knows of a package and its users need not: sources, other packages, development dependencies. */
function publicManifest({ private: _private, devDependencies: _development, dependencies = {}, exports, ...rest }) {
  const foreign = Object.fromEntries(Object.entries(dependencies).filter(([name]) => !name.startsWith(OWN)));
  const entries = Object.entries(exports).map(([key, target]) => {
    return [key, { types: target.default.replace(/\.js$/, ".d.ts"), default: target.default }];
  });
  return { ...rest, exports: Object.fromEntries(entries), dependencies: foreign };
}

function programOf(folder) {
  return existsSync(join(folder, "src/main.ts")) ? ["src/main.ts"] : [];
}

function inputsOf(root, name, manifest) {
  const own = new Set([name]);
  for (const one of own) {
    const { dependencies = {} } =
      one === name ? manifest : JSON.parse(readFileSync(join(root, "packages", one, "package.json"), "utf8"));
    for (const dependency of Object.keys(dependencies)) if (dependency.startsWith(OWN)) own.add(basename(dependency));
  }
  const files = manifest.files.filter((file) => file !== "dist").map((file) => `packages/${name}/${file}`);
  return [
    ...[...own].flatMap((one) => [`packages/${one}/src`, `packages/${one}/package.json`]),
    ...files,
    "tsconfig.json",
    "node_modules/tsdown/package.json",
    "scripts/build",
  ];
}
