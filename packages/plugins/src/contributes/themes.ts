/** Themes: colours and sizes from a JSON file, and nothing that a page could run. */
import path from "node:path";
import { didYouMean, quote } from "@reasonix-ts/text";
import { readJsonText } from "../manifest/json-text.ts";
import { membersOf } from "../manifest/members.ts";
import { readInside } from "../package/read-inside.ts";
import type { Note, Theme, Tokens } from "./contribution.ts";
import { filesOf } from "./files.ts";

export const BASE_STYLES = ["graphite", "aurora", "slate", "carbon", "nocturne", "amber"] as const;

export const THEME_TOKENS = [
  "bg",
  "bgSoft",
  "bgElev",
  "panel",
  "sidebar",
  "chat",
  "workspace",
  "workspaceFiles",
  "border",
  "borderSoft",
  "fg",
  "fgDim",
  "fgFaint",
  "accent",
  "accentFg",
  "ok",
  "warn",
  "err",
] as const;

export const THEME_RECIPES: { readonly [recipe: string]: readonly string[] } = {
  density: ["compact", "comfortable"],
  corners: ["square", "soft", "round"],
};

/** `*.reasonix-theme` files that are JSON, and `theme.json` in a folder of its own. */
export async function readThemes(
  plugin: string,
  root: string,
  declared: readonly string[],
  note: Note,
): Promise<readonly Theme[]> {
  const wanted = (file: string): boolean =>
    file.endsWith(".reasonix-theme") || path.posix.basename(file) === "theme.json";
  const themes = new Map<string, Theme>();
  for (const relative of await filesOf(root, declared, wanted, note)) {
    const read = await readInside(root, relative);
    if (!read.ok) {
      note(relative, read.problem);
      continue;
    }
    if (read.bytes.toString("latin1", 0, 2) === "PK") {
      note(relative, "it is a zip file; only JSON is read here: put its theme.json in a folder of its own");
      continue;
    }
    const json = readJsonText(read.bytes);
    if (!json.ok) {
      note(relative, json.faults.map((fault) => `${fault.received}, wanted ${fault.wanted}`).join("; "));
      continue;
    }
    const theme = judgeTheme(json.value, (problem) => note(relative, problem));
    if (theme === null) continue;
    const id = theme.id === "" ? nameOf(relative) : theme.id;
    if (themes.has(id)) note(relative, `a theme with the id ${id} is there already`);
    else themes.set(id, { ...theme, plugin, id, name: theme.name || id, file: read.file });
  }
  return [...themes.values()];
}

type Judged = Pick<Theme, "id" | "name" | "baseStyle" | "tokens" | "recipes">;

/** Null when a value is not what it must be: a theme is taken whole or not at all (pure). */
export function judgeTheme(value: unknown, refuse: (problem: string) => void): Judged | null {
  const fields = membersOf(value);
  if (fields === null) {
    refuse("it holds no JSON object");
    return null;
  }
  let good = true;
  const fault = (problem: string): void => {
    good = false;
    refuse(problem);
  };
  if (fields["schemaVersion"] !== undefined && fields["schemaVersion"] !== 1) {
    fault(`/schemaVersion: ${JSON.stringify(fields["schemaVersion"])}, wanted 1`);
  }
  const id = fields["id"] ?? "";
  if (typeof id !== "string" || (id !== "" && !/^[a-z][a-z0-9-]{0,63}$/.test(id))) {
    fault(`/id: ${JSON.stringify(id)}, wanted small letters, digits and "-"`);
  }
  const base = fields["baseStyle"] ?? BASE_STYLES[0];
  const baseStyle = BASE_STYLES.find((style) => style === base);
  if (baseStyle === undefined) fault(`/baseStyle: ${JSON.stringify(base)}, wanted one of ${BASE_STYLES.join(", ")}`);
  if (fields["background"] !== undefined) fault("/background: images are not used here");
  const tokens = membersOf(fields["tokens"] ?? {}) ?? {};
  const light = tokensOf(tokens["light"], "/tokens/light", fault);
  const dark = tokensOf(tokens["dark"], "/tokens/dark", fault);
  const recipes = recipesOf(fields["recipes"], fault);
  for (const member of Object.keys(fields)) if (!MEMBERS.has(member)) fault(`/${member}: no such field`);
  for (const member of Object.keys(tokens))
    if (member !== "light" && member !== "dark") fault(`/tokens/${member}: no such field`);
  if (!good || typeof id !== "string" || baseStyle === undefined) return null;
  return {
    id,
    name: typeof fields["name"] === "string" ? fields["name"].slice(0, 80) : "",
    baseStyle,
    tokens: { light, dark },
    recipes,
  };
}

const MEMBERS = new Set([
  "schemaVersion",
  "id",
  "name",
  "author",
  "description",
  "license",
  "baseStyle",
  "tokens",
  "recipes",
  "background",
]);
const COLOUR = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i;

function tokensOf(value: unknown, at: string, fault: (problem: string) => void): Tokens {
  const kept: { [token: string]: string } = {};
  for (const [token, colour] of Object.entries(membersOf(value ?? {}) ?? {})) {
    if (!THEME_TOKENS.some((known) => known === token))
      fault(`${at}/${token}: no such token.${didYouMean(token, THEME_TOKENS)}`);
    else if (typeof colour !== "string" || !COLOUR.test(colour))
      fault(`${at}/${token}: ${shown(colour)}, wanted #RRGGBB or #RRGGBBAA`);
    else kept[token] = colour.toLowerCase();
  }
  return kept;
}

function recipesOf(value: unknown, fault: (problem: string) => void): { readonly [recipe: string]: string } {
  const kept: { [recipe: string]: string } = {};
  for (const [recipe, choice] of Object.entries(membersOf(value ?? {}) ?? {})) {
    const choices = Object.hasOwn(THEME_RECIPES, recipe) ? THEME_RECIPES[recipe] : undefined;
    if (choices === undefined) fault(`/recipes/${recipe}: no such recipe`);
    else if (typeof choice !== "string" || !choices.includes(choice))
      fault(`/recipes/${recipe}: ${shown(choice)}, wanted one of ${choices.join(", ")}`);
    else kept[recipe] = choice;
  }
  return kept;
}

function shown(value: unknown): string {
  return typeof value === "string" ? quote(value) : JSON.stringify(value);
}

function nameOf(relative: string): string {
  const base = path.posix.basename(relative);
  const name =
    base === "theme.json" ? path.posix.basename(path.posix.dirname(relative)) : base.replace(/\.reasonix-theme$/, "");
  return name.toLowerCase().replace(/[^a-z0-9-]+/g, "-");
}
