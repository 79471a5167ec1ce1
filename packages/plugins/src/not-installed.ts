/** The error of every verb that names a plugin which is not there. */
import { didYouMean } from "@reasonix-ts/text";
import type { PluginRow } from "./disk/rows.ts";
import { PluginError } from "./error.ts";

export function notInstalled(name: string, rows: readonly PluginRow[]): PluginError {
  const names = rows.map((row) => row.name);
  const known = names.length === 0 ? "No plugin is installed." : `Installed: ${names.join(", ")}.`;
  return new PluginError(
    "not_installed",
    `${JSON.stringify(name)} is not installed.${didYouMean(name, names)} ${known}`,
  );
}
