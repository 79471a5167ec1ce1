/** Examines a package that is not installed, for its author: the same checks, and nothing is started. */
import path from "node:path";
import { runChecks } from "./checks/run.ts";
import type { DoctorOptions, Examined } from "./doctor.ts";
import type { Current } from "./install/current.ts";
import { loadPackage } from "./package/load.ts";
import { trustBlock } from "./trust/block.ts";

export type FolderOptions = Pick<DoctorOptions, "machine" | "knownTools" | "loginPath">;

/** `ok` is false when any finding is an error. A folder without a usable manifest is a finding too. */
export async function examineFolder(
  folder: string,
  options: FolderOptions,
): Promise<Examined & { readonly ok: boolean }> {
  const root = path.resolve(folder);
  const loaded = await loadPackage(root);
  const found = loaded.ok ? loaded.package : null;
  const runtime = found?.runtime ?? null;
  const name = found?.name ?? (loaded.ok ? "" : loaded.claims.name || path.basename(root));
  const version = found?.version ?? "";
  const current: Current = {
    row: {
      name,
      source: root,
      root,
      version,
      description: "",
      manifestKind: found?.kind ?? "reasonix",
      enabled: true,
      more: {},
    },
    root,
    loaded,
    trust: runtime === null ? null : await trustBlock(runtime, root, root, options.machine),
    identity: null,
    content: "linked",
  };
  const findings = await runChecks({
    machine: options.machine,
    current,
    found,
    knownTools: options.knownTools ?? null,
    loginPath: options.loginPath ?? null,
    pluginTools: current.trust?.tools ?? [],
    enabledPlugins: [name],
  });
  const ok = !findings.some(({ severity }) => severity === "error");
  return { name, version, enabled: false, root, trust: current.trust, findings, live: null, ok };
}
