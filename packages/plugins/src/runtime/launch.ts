/** Decides from facts about the command's file what is started and with which arguments (pure). */
import { expandRoot, isAbsolute, isWindowsAbsolute } from "../manifest/command.ts";
import type { RuntimeBlock } from "../manifest/shape.ts";

export interface CommandFile {
  /** `missing` covers everything that is no regular file. */
  readonly state: "missing" | "file";
  readonly executable: boolean;
  readonly shebang: boolean;
  /** Whether the file, its links followed, lies inside the root; true as well for a command that was written absolute. */
  readonly contained: boolean;
}

export type Launch =
  | { readonly ok: true; readonly command: string; readonly args: readonly string[]; readonly withNode: boolean }
  | { readonly ok: false; readonly problem: string };

/** The absolute path that the command stands for, the root expanded. */
export function commandPath(command: string, root: string): string {
  const expanded = expandRoot(command, root);
  if (isAbsolute(expanded)) return expanded;
  return `${root.replace(/[\\/]+$/, "")}/${expanded.replace(/^(?:\.\/+)+/, "")}`;
}

export function planLaunch(
  runtime: Pick<RuntimeBlock, "command" | "args">,
  root: string,
  file: CommandFile,
  machine: { readonly platform: string; readonly node: string },
): Launch {
  const command = commandPath(runtime.command, root);
  const args = runtime.args.map((arg) => expandRoot(arg, root));
  const windows = machine.platform === "win32";
  if (!windows && isWindowsAbsolute(command)) {
    return {
      ok: false,
      problem: `the command ${command} is a path of Windows, and this machine runs ${machine.platform}`,
    };
  }
  if (windows && runtime.command.startsWith("/")) {
    return { ok: false, problem: `the command ${command} is no path of Windows` };
  }
  if (/\.(?:cmd|bat|ps1)$/i.test(command)) return { ok: false, problem: scriptProblem(command, windows) };
  if (file.state === "missing") return { ok: false, problem: `the command ${command} does not exist` };
  if (!file.contained) return { ok: false, problem: `the command ${command} is a link that leads out of ${root}` };
  const withNode = /\.[cm]?js$/i.test(command) && (windows || !file.executable || !file.shebang);
  if (withNode) return { ok: true, command: machine.node, args: [command, ...args], withNode };
  if (windows && file.shebang) return { ok: false, problem: shebangProblem(command) };
  if (!windows && !file.executable) {
    return {
      ok: false,
      problem: `the command ${command} is not executable (run: chmod +x '${command.replaceAll("'", "'\\''")}')`,
    };
  }
  return { ok: true, command, args, withNode };
}

function scriptProblem(command: string, windows: boolean): string {
  return windows
    ? `the command ${command} is a batch file, which needs a shell to pass its arguments; name its program instead, such as "./dist/cli.js"`
    : `the command ${command} is a script of Windows and cannot run here`;
}

function shebangProblem(command: string): string {
  return `the command ${command} is a script whose first line names its interpreter, and Windows starts no such file; name a program, or a script for the host's own Node, such as "./sidecar.mjs"`;
}
