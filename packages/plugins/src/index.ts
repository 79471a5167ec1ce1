/** Plugin packages on disk: manifest, install, trust, doctor. */
export { PluginError, type PluginErrorReason } from "./error.ts";
export type { Machine } from "./machine.ts";

export { MANIFEST_FILE, parseManifest, type ParsedManifest } from "./manifest/manifest.ts";
export type { Manifest, ManifestTool, McpServerEntry, Resources, RuntimeBlock } from "./manifest/shape.ts";
export { API_VERSION } from "./manifest/fields.ts";
export { manifestProblemText, type ManifestProblem } from "./manifest/problem.ts";
export { upgradeManifest, upgradeManifestIn, type Upgrade } from "./manifest/upgrade.ts";

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

export { installedContributions } from "./contributes/installed.ts";
export { readContributions } from "./contributes/read.ts";
export { expandTemplate } from "./contributes/templates.ts";
export { claudeToolNames, hookMatches } from "./contributes/hooks.ts";
export { BASE_STYLES, THEME_RECIPES, THEME_TOKENS } from "./contributes/themes.ts";
export type {
  AgentProfile,
  ContributionProblem,
  Contributions,
  Hook,
  HookAction,
  McpServer,
  Skill,
  Template,
  Theme,
  Tokens,
} from "./contributes/contribution.ts";
export { HOOK_EVENTS, type HookEvent, type HookShell } from "./manifest/hook-fields.ts";
export { loadPackage } from "./package/load.ts";
export type { Compatibility, LoadedPackage, Package, PackageKind } from "./package/package.ts";

export { layoutOf, type Layout } from "./disk/layout.ts";
export {
  formatEnvironment,
  parseEnvironment,
  pluginEnvironmentNames,
  readPluginEnvironment,
  setPluginVariable,
} from "./environment.ts";

export { updatePlugins, type Update, type UpdateReport } from "./update.ts";
export { updateText } from "./render/update.ts";

export { examinePlugins, type DoctorOptions, type DoctorReport, type Examined, type LiveTrial } from "./doctor.ts";
export { examineFolder, type FolderOptions } from "./examine-folder.ts";
export type { Finding, FindingCode } from "./checks/finding.ts";
export { describeCapabilities, type CapabilityReport, type PluginCapabilities } from "./capabilities.ts";
export { capabilitiesText, doctorText } from "./render/doctor.ts";
export { upgradedText, upgradeNotesText } from "./render/upgrade.ts";
export type { Program } from "./package/programs.ts";
