/** The one `apiVersion` that is accepted, and what to say of the others. */
import { API_VERSION } from "./fields.ts";
import { manifestProblem, type ManifestProblem } from "./problem.ts";

/** Null when the manifest is of version 2 exactly; there is no other version that is read. */
export function apiVersionProblem(manifest: unknown): ManifestProblem | null {
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) return null;
  const received: unknown = "apiVersion" in manifest ? manifest.apiVersion : undefined;
  if (received === API_VERSION) return null;
  return manifestProblem("/apiVersion", received, JSON.stringify(API_VERSION), hintFor(received, manifest));
}

function hintFor(received: unknown, manifest: object): string {
  if (received === undefined) {
    return `${linesToAdd(manifest)} "reasonix plugin upgrade-manifest <dir>" prints the whole text.`;
  }
  if (received === "reasonix.io/plugin/v1") {
    return 'There is no automatic migration from v1: "reasonix plugin upgrade-manifest <dir>" prints the v2 text to review and save.';
  }
  return "The value is compared exactly: no minor version, no other case, no space.";
}

function linesToAdd(manifest: object): string {
  const version = `"apiVersion": "${API_VERSION}"`;
  const kinds = Object.entries(manifest).filter(([kind]) => CONTRIBUTED.has(kind));
  if (kinds.length === 0) return `Add this line: ${version}.`;
  const members = kinds.map(([kind, value]) => `"${kind}": ${shortJson(value)}`).join(", ");
  return `Add these lines: ${version}, "contributes": {${members}} (in place of the same names outside it).`;
}

const CONTRIBUTED = new Set(["skills", "agents", "commands", "prompts", "hooks", "mcpServers", "themes"]);

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? "…" : text;
}
