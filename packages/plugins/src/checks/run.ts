/** The checks of one plugin, in the order in which their findings are told. */
import { checkCommand } from "./command.ts";
import type { Check, CheckContext } from "./context.ts";
import { checkContributions } from "./contributions.ts";
import { checkFiles } from "./files.ts";
import type { Finding } from "./finding.ts";
import { checkRuntime } from "./runtime.ts";

const CHECKS: readonly Check[] = [checkFiles, checkCommand, checkRuntime, checkContributions];

export async function runChecks(context: CheckContext): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of CHECKS) findings.push(...(await check(context)));
  return findings;
}
