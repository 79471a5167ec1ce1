/** Judges one source file against the rules: pure, a list of sentences. */
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { ruleFor, SIBLINGS } from "./rules.mjs";

const SCOPE = "@reasonix-ts/";
const BUILTINS = new Set(builtinModules);

/**
 * `unit` is {workspace, one (the package), file (relative to it), imports, environment}.
 * Returns problems, each {line, text}; and `edges`, the files that this one imports, relative to the root.
 */
export function judgeFile(unit) {
  const rule = ruleFor(unit.one.folder);
  if (rule === null) {
    return { edges: [], problems: [{ line: 1, text: `scripts/layers/rules.mjs has no row for ${unit.one.folder}` }] };
  }
  const problems = [];
  const edges = [];
  for (const { specifier, line } of unit.imports) {
    const say = (text) => problems.push({ line, text });
    if (specifier.startsWith(".")) {
      const target = judgeRelative(unit, specifier, say);
      if (target !== null) edges.push(target);
    } else if (isBuiltin(specifier)) judgeBuiltin(unit, rule, specifier, say);
    else judgePackage(unit, rule, specifier, say);
  }
  if (!mayReadEnvironment(unit, rule)) {
    for (const { what, line } of unit.environment) {
      problems.push({ line, text: `${what} is read here; take it as an argument from the app` });
    }
  }
  return { edges, problems };
}

function judgeRelative({ one, file }, specifier, say) {
  if (!/\.(tsx?|json)$/.test(specifier)) say(`"${specifier}" must end in .ts`);
  const inside = posix.join(posix.dirname(file), specifier);
  if (inside.startsWith("../")) {
    say(`"${specifier}" leaves ${one.folder}; import the package by its name`);
    return null;
  }
  if (!one.files.includes(inside)) return null;
  if (isSource(file) && !isSource(inside)) say(`"${specifier}" is no source of this package; sources import sources`);
  return `${one.folder}/${inside}`;
}

function judgeBuiltin({ one, file }, rule, specifier, say) {
  if (!specifier.startsWith("node:")) say(`"${specifier}" must be written "node:${specifier}"`);
  if (!isSource(file) || (rule.builtinFolders ?? []).some((folder) => file.startsWith(folder))) return;
  const name = specifier.replace(/^node:/, "").split("/")[0];
  const { only, never } = rule.builtins;
  if (only !== null && !only.includes(name)) say(`${one.folder} may not touch node:${name}`);
  else if (never.includes(name)) say(`${one.folder} may not touch node:${name}; start processes with packages/process`);
}

function judgePackage({ workspace, one, file }, rule, specifier, say) {
  const name = packageNameOf(specifier);
  if (name === one.name) {
    if (isSource(file)) say(`"${specifier}" is this package itself; import the file`);
    return;
  }
  if (name.startsWith(SCOPE)) judgeArrow(one, file, rule, name.slice(SCOPE.length), say);
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = one.manifest;
  const shipped = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const developed = { ...devDependencies, ...workspace.manifest.devDependencies };
  if (name in shipped) return;
  if (!isSource(file) && name in developed) return;
  if (rule.bundled === true && name in { ...devDependencies }) return;
  const where = isSource(file) && rule.bundled !== true ? "dependencies" : "devDependencies";
  say(`"${name}" is not among the ${where} of ${one.folder}/package.json`);
}

function judgeArrow(one, file, rule, target, say) {
  const own = one.name.slice(SCOPE.length);
  if (SIBLINGS.includes(own) && SIBLINGS.includes(target) && !mayReferee(file, rule, target)) {
    say(`${own} and ${target} never import one another`);
    return;
  }
  if (!isSource(file) || rule.imports === null || rule.imports.includes(target)) return;
  const allowed = rule.imports.length === 0 ? "no workspace package" : rule.imports.join(", ");
  say(`${one.folder} may import ${allowed}; not ${target}`);
}

/** Whether a test of the referee may start this sibling, to judge it from outside. */
function mayReferee(file, rule, target) {
  return Object.entries(rule.refereed ?? {}).some(
    ([folder, siblings]) => file.startsWith(folder) && siblings.includes(target),
  );
}

function mayReadEnvironment({ file }, rule) {
  if (!isSource(file) || rule.environment === true) return true;
  return (rule.environment ?? []).some((path) => (path.endsWith("/") ? file.startsWith(path) : file === path));
}

function isSource(file) {
  return file.startsWith("src/");
}

function isBuiltin(specifier) {
  return specifier.startsWith("node:") || BUILTINS.has(specifier);
}

function packageNameOf(specifier) {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
}
