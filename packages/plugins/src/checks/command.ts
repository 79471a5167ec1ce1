/** Would the runtime's command start on this machine? */
import path from "node:path";
import { diagnoseStart, inspectCommand, type CommandFacts, type StartDiagnosis } from "@reasonix-ts/process";
import { isWindowsAbsolute } from "../manifest/command.ts";
import type { RuntimeBlock } from "../manifest/shape.ts";
import { inspectCommandFile } from "../runtime/describe.ts";
import { commandPath, planLaunch } from "../runtime/launch.ts";
import type { Check, CheckContext } from "./context.ts";
import type { Finding, FindingCode } from "./finding.ts";

export const checkCommand: Check = async (context) => {
  const runtime = context.found?.runtime ?? null;
  if (runtime === null) return [];
  const { machine, current } = context;
  const file = await inspectCommandFile(runtime.command, current.root);
  const launch = planLaunch(runtime, current.root, file, machine);
  const foreign = foreignPath(context, runtime, file.state === "missing");
  if (foreign !== null) return [foreign];
  // The host's own Node runs it: neither its bits nor its first line matter.
  if (launch.ok && launch.withNode) return [];
  const command = commandPath(runtime.command, current.root);
  if (!launch.ok && file.state === "file") {
    const batch = /\.(?:cmd|bat|ps1)$/i.test(command);
    const windows = machine.platform === "win32";
    const script = windows && file.contained && file.shebang && !batch;
    const code = (batch && !windows) || script ? "wrong_system" : "command_refused";
    const next = "Name a program of the package in runtime.command.";
    if (batch || script || !file.contained) return [finding(context, code, command, launch.problem, next)];
  }
  const facts = await inspectCommand({ command, cwd: current.root, env: machine.environment });
  const diagnosis = diagnose(facts, context);
  if (diagnosis !== null) {
    return [finding(context, CODES[diagnosis.code] ?? "command_refused", command, diagnosis.message, diagnosis.next)];
  }
  return reliesOnPath(context, command, facts);
};

/** Names of a start's faults that differ here. */
const CODES: { readonly [code in StartDiagnosis["code"]]?: FindingCode } = {
  command_not_found: "command_missing",
  command_is_directory: "command_is_directory",
  not_executable: "not_executable",
  empty_file: "empty_file",
  no_shebang: "no_shebang",
  crlf_shebang: "crlf_shebang",
  missing_interpreter: "missing_interpreter",
  missing_loader: "missing_loader",
  wrong_cpu: "wrong_cpu",
  wrong_system: "wrong_system",
};

/** Null when nothing on disk speaks against a start. */
function diagnose(facts: CommandFacts, { machine, loginPath }: CheckContext): StartDiagnosis | null {
  const errno = facts.kind.type === "missing" ? "ENOENT" : facts.executable ? "ENOEXEC" : "EACCES";
  const { platform, arch } = machine;
  const login = loginPath === null ? {} : { loginPath };
  const diagnosis = diagnoseStart({ command: facts, failure: { type: "refused", errno }, platform, arch, ...login });
  return diagnosis.code === "start_refused" ? null : diagnosis;
}

/** An absolute path that means something on the author's machine alone. */
function foreignPath(context: CheckContext, { command }: RuntimeBlock, missing: boolean): Finding | null {
  const { platform } = context.machine;
  const next = 'Ask the author for a command inside the package, such as "${REASONIX_PLUGIN_ROOT}/bin/server".';
  if (platform !== "win32" && isWindowsAbsolute(command)) {
    return finding(
      context,
      "foreign_path",
      command,
      `${command} is a path of Windows, and this machine runs ${platform}.`,
      next,
    );
  }
  if (platform === "win32" && command.startsWith("/")) {
    return finding(context, "foreign_path", command, `${command} is no path of Windows.`, next);
  }
  if (!missing || !path.isAbsolute(command)) return null;
  return finding(
    context,
    "foreign_path",
    command,
    `${command} does not exist here: it is a path of another machine.`,
    next,
  );
}

/** What programs started from a desktop get. */
const SHORT_PATH = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

function reliesOnPath(context: CheckContext, command: string, facts: CommandFacts): readonly Finding[] {
  const { interpreter } = facts;
  if (facts.kind.type !== "script" || interpreter === null || interpreter.found === null) return [];
  if (interpreter.wanted.includes("/") || SHORT_PATH.includes(path.dirname(interpreter.found))) return [];
  const cause = `its first line looks for "${interpreter.wanted}" in PATH, and finds ${interpreter.found}; started from a desktop or a service, PATH is shorter and it will not be found`;
  const next = "Start Reasonix from a terminal, or give the script a first line with an absolute path.";
  return [{ ...finding(context, "relies_on_path", command, cause, next), severity: "warning" }];
}

function finding(context: CheckContext, code: FindingCode, file: string, cause: string, next: string): Finding {
  const { row } = context.current;
  // A program for another system is no fault of the installation, as long as nothing depends on it.
  const elsewhere = code === "foreign_path" || code === "wrong_system";
  const serious = row.enabled && (!elsewhere || context.found?.runtime?.required === true);
  const severity = serious ? "error" : "warning";
  return { code, severity, plugin: row.name, path: file, cause, next };
}
