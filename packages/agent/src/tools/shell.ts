/** The command line of one shell command, confined as the session wants it. */
import type { Confinement } from "../permissions/sandbox.ts";

export interface ShellLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Standard error goes where standard output goes, so that both are read in the order in which they were written. */
export function shellLine(script: string, cwd: string, confinement: Confinement): ShellLine {
  const args = ["-c", `exec 2>&1\n${script}`];
  if (confinement.kind !== "bubblewrap") return { command: "bash", args };
  return { command: confinement.command, args: [...confinement.args, "--chdir", cwd, "--", "bash", ...args] };
}
