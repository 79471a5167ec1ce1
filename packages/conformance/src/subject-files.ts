/** Finds the program and its manifest on disk. */
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expectationOf, OPEN_EXPECTATION, type Expectation } from "./play/expectation.ts";
import { isJsonObject, type JsonObject } from "./wire/frame.ts";
import type { Program } from "./wire/program.ts";

export interface Found {
  readonly program: Program;
  readonly expectation: Expectation;
  /** Path of the manifest, or null. */
  readonly manifest: string | null;
}

const NAME = "reasonix-plugin.json";

/** Throws an Error that says what is missing and what to do. */
export function findSubject(program: readonly string[], manifest: string | null, cwd: string): Found {
  const [first, ...args] = program;
  const folder = first === undefined || !isFolder(resolve(cwd, first)) ? null : resolve(cwd, first);
  if (folder !== null && args.length > 0)
    throw new Error(`${folder} is a folder, and arguments came with it: they belong into runtime.args of its ${NAME}`);
  if (folder !== null) return findSubject([], manifest ?? manifestIn(folder), cwd);
  const named = first;
  const file = manifest === null ? manifestNear(resolve(cwd, named ?? "")) : resolve(cwd, manifest);
  const text = file === null ? null : readManifest(file);
  const expectation = text === null || file === null ? OPEN_EXPECTATION : describing(file, () => expectationOf(text));
  if (named !== undefined) {
    const env = file === null ? {} : pluginEnvironment(dirname(file), expectation);
    return { program: { ...launch(resolve(cwd, named), args), env, cwd }, expectation, manifest: file };
  }
  if (text === null || file === null) throw new Error("name a program to judge, or a manifest");
  return { program: fromManifest(text, file, expectation, cwd), expectation, manifest: file };
}

function manifestNear(program: string): string | null {
  const beside = dirname(program);
  return [join(beside, NAME), join(dirname(beside), NAME)].find((path) => existsSync(path)) ?? null;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function manifestIn(folder: string): string {
  const file = join(folder, NAME);
  if (existsSync(file)) return file;
  throw new Error(`${folder} is a folder without ${NAME}: name a program, or the folder of a plugin package`);
}

function readManifest(file: string): unknown {
  if (!existsSync(file)) throw new Error(`${file} does not exist: name a ${NAME}`);
  return describing(file, () => JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, "")));
}

function fromManifest(manifest: unknown, file: string, expectation: Expectation, cwd: string): Program {
  const root = dirname(file);
  const runtime = isJsonObject(manifest) && isJsonObject(manifest["runtime"]) ? manifest["runtime"] : {};
  const expand = (text: string): string => text.replaceAll("${REASONIX_PLUGIN_ROOT}", root);
  const { command, args = [] } = runtime;
  if (typeof command !== "string" || command === "")
    throw new Error(`${file}: runtime.command is missing: name the executable`);
  const given = Array.isArray(args) ? args.filter((arg) => typeof arg === "string").map(expand) : [];
  const env = Object.fromEntries(Object.entries(strings(runtime)).map(([name, value]) => [name, expand(value)]));
  return {
    ...launch(resolve(root, expand(command)), given),
    env: { ...env, ...pluginEnvironment(root, expectation) },
    cwd,
  };
}

/** A JavaScript file that is not executable is run with this very Node, as hosts do. */
function launch(path: string, args: readonly string[]): { command: string; args: readonly string[] } {
  if (!existsSync(path)) throw new Error(`${path} does not exist: name a program by its path`);
  if (/\.[cm]?js$/.test(path) && !isExecutable(path)) return { command: process.execPath, args: [path, ...args] };
  return { command: path, args };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pluginEnvironment(root: string, { plugin }: Expectation): { readonly [name: string]: string } {
  return { REASONIX_PLUGIN_ROOT: root, REASONIX_PLUGIN_NAME: plugin ?? "", REASONIX_PLUGIN_VERSION: "0.0.0" };
}

function strings({ env }: JsonObject): { readonly [name: string]: string } {
  if (!isJsonObject(env)) return {};
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

function describing<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
