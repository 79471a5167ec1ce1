/** Prints the v2 text of an older native manifest; nothing is written and nothing is guessed in silence. */
import { readInside } from "../package/read-inside.ts";
import { API_VERSION, ManifestFields, RESOURCE_KINDS } from "./fields.ts";
import { readJsonText } from "./json-text.ts";
import { MANIFEST_FILE, parseManifest } from "./manifest.ts";
import { manifestProblemText, type ManifestProblem } from "./problem.ts";

export type Upgrade =
  | {
      readonly ok: true;
      readonly text: string;
      readonly changes: readonly string[];
      readonly remaining: readonly ManifestProblem[];
    }
  | { readonly ok: false; readonly problem: string };

/** `remaining` are the problems that only the author can solve; the text is complete but not yet valid while there are any. */
export function upgradeManifest(bytes: Uint8Array): Upgrade {
  const file = readJsonText(bytes);
  if (!file.ok) {
    const faults = file.faults.map((fault) => manifestProblemText({ ...fault, hint: "" }));
    return { ok: false, problem: `The manifest cannot be read. ${faults.join(" ")}` };
  }
  if (typeof file.value !== "object" || file.value === null || Array.isArray(file.value)) {
    return { ok: false, problem: "The manifest is no JSON object." };
  }
  const old = new Map<string, unknown>(Object.entries(file.value));
  const changes: string[] = [];
  const next: { [member: string]: unknown } = { apiVersion: API_VERSION };
  const written = old.get("apiVersion");
  if (written !== API_VERSION) {
    changes.push(written === undefined ? "apiVersion added" : `apiVersion ${JSON.stringify(written)} replaced`);
  }
  const contributes: { [kind: string]: unknown } = {};
  const inner = old.get("contributes");
  if (typeof inner === "object" && inner !== null) Object.assign(contributes, inner);
  for (const [member, value] of old) {
    if (member === "apiVersion" || member === "contributes") continue;
    if (RESOURCE_KINDS.some((kind) => kind === member) && !Object.hasOwn(contributes, member)) {
      contributes[member] = typeof value === "string" ? [value] : value;
      changes.push(`${member} moved into contributes`);
    } else if (Object.hasOwn(ManifestFields.fields, member)) {
      next[member] = value;
    } else {
      changes.push(`${member} left out: v2 has no such field`);
    }
  }
  if (Object.keys(contributes).length > 0) next["contributes"] = contributes;
  const text = `${JSON.stringify(next, null, 2)}\n`;
  const parsed = parseManifest(Buffer.from(text));
  return { ok: true, text, changes, remaining: parsed.ok ? [] : parsed.problems };
}

/** The same for the manifest of a folder. */
export async function upgradeManifestIn(folder: string): Promise<Upgrade> {
  const read = await readInside(folder, MANIFEST_FILE);
  return read.ok ? upgradeManifest(read.bytes) : { ok: false, problem: `${read.problem} (in ${folder}).` };
}
