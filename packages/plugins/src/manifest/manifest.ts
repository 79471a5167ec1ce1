/** Reads `reasonix-plugin.json`: all of it is right, or every problem is told at once. */
import { decode } from "@reasonix-ts/protocol";
import { apiVersionProblem } from "./api-version.ts";
import { ManifestFields, type RuntimeFields } from "./fields.ts";
import { readJsonText, type JsonFault } from "./json-text.ts";
import { claimsOf, type Claims } from "./claims.ts";
import { fromSchemaProblem, type ManifestProblem } from "./problem.ts";
import { mergeResources } from "./resources.ts";
import { judgeRuntime } from "./runtime-rules.ts";
import type { Manifest, RuntimeBlock } from "./shape.ts";

export const MANIFEST_FILE = "reasonix-plugin.json";

export type ParsedManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly problems: readonly ManifestProblem[]; readonly claims: Claims };

/** `bytes` as they are on disk. On failure `claims` tells what the broken manifest says about being required and owning slots. */
export function parseManifest(bytes: Uint8Array): ParsedManifest {
  const file = readJsonText(bytes);
  if (!file.ok) return { ok: false, problems: file.faults.map(fromFault), claims: claimsOf(undefined) };
  const claims = claimsOf(file.value);
  const problems: ManifestProblem[] = [];
  const version = apiVersionProblem(file.value);
  if (version !== null) problems.push(version);
  // Decoding removes optional nulls from its value: what was written is kept for the words of messages.
  const written: unknown = JSON.parse(file.text);
  const decoded = decode(ManifestFields, file.value);
  if (!decoded.ok) {
    const rest = decoded.problems.filter(({ path }) => version === null || path !== "/apiVersion");
    return { ok: false, problems: [...problems, ...rest.map((one) => fromSchemaProblem(one, written))], claims };
  }
  const fields = decoded.value;
  const merged = mergeResources(fields);
  problems.push(...merged.problems, ...judgeRuntime(fields.runtime));
  if (problems.length > 0) return { ok: false, problems, claims };
  return {
    ok: true,
    manifest: {
      name: fields.name,
      version: fields.version ?? "",
      description: fields.description ?? "",
      requires: fields.requires ?? [],
      provides: fields.provides ?? [],
      resources: merged.resources,
      runtime: fields.runtime === undefined ? null : runtimeBlock(fields.runtime),
    },
  };
}

function runtimeBlock(fields: RuntimeFields): RuntimeBlock {
  return {
    command: fields.command,
    args: fields.args ?? [],
    env: fields.env ?? {},
    required: fields.required ?? false,
    priority: fields.priority ?? 0,
    timeoutMillis: fields.timeoutMillis ?? 0,
    intercepts: [...new Set(fields.intercepts)],
    replaces: [...new Set(fields.replaces)],
    declared: fields.capabilities === undefined ? null : [...new Set(fields.capabilities)],
    tools: (fields.tools ?? []).map((tool) => ({ ...tool, readOnly: tool.readOnly ?? false })),
  };
}

function fromFault(fault: JsonFault): ManifestProblem {
  const at = fault.line === 0 ? "" : `line ${fault.line}, column ${fault.column}: `;
  return { path: fault.path, received: `${at}${fault.received}`, wanted: fault.wanted, hint: "" };
}
