/** Plugin packages on disk: manifest, install, trust, doctor. */
export { PluginError, type PluginErrorReason } from "./error.ts";
export type { Machine } from "./machine.ts";

export { MANIFEST_FILE, parseManifest, type ParsedManifest } from "./manifest/manifest.ts";
export type { Manifest, ManifestTool, McpServerEntry, Resources, RuntimeBlock } from "./manifest/shape.ts";
export { API_VERSION } from "./manifest/fields.ts";
export { manifestProblemText, type ManifestProblem } from "./manifest/problem.ts";
export { upgradeManifest, type Upgrade } from "./manifest/upgrade.ts";

export { installPlugins } from "./install/install.ts";
export type { InstallAction, InstallReport, InstallRequest, Workplace } from "./install/request.ts";
export type { Candidate, Verdict } from "./install/plan.ts";
export { removePlugin, type RemoveReport } from "./remove.ts";
export { setPluginEnabled, type ToggleReport } from "./toggle.ts";
export { listPlugins, showPlugin, type PluginDetails, type PluginLine, type PluginListing } from "./list.ts";

export type { TrustBlock } from "./trust/block.ts";
export { TRUST_HEADING, trustText } from "./trust/text.ts";
export type { TrustChange } from "./trust/changes.ts";

export { installedRuntimes, type InstalledRuntimes } from "./runtime/installed.ts";
export type { BrokenSpec, SidecarSpec } from "./runtime/spec.ts";

export { CONSENT_HINT, installText } from "./render/install.ts";
export { listText, removeText, showText, toggleText } from "./render/list.ts";
