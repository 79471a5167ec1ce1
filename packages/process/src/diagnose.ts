/** Says why a program did not start, or ended before it answered, and what to do about it (pure). */
import { describeExit, type Exit } from "./exit.ts";
import type { CommandFacts } from "./inspect-command.ts";

export type StartDiagnosisCode =
  | "working_directory_missing"
  | "command_not_found"
  | "command_not_in_path"
  | "command_is_directory"
  | "not_executable"
  | "empty_file"
  | "no_shebang"
  | "crlf_shebang"
  | "missing_interpreter"
  | "missing_loader"
  | "wrong_cpu"
  | "wrong_system"
  | "exited_before_answer"
  | "killed_before_answer"
  | "start_refused";

export interface StartFacts {
  readonly command: CommandFacts;
  /** What the command is given: part of the line that a person can run by hand. */
  readonly args?: readonly string[];
  /** The file among `args` that the command, an interpreter, runs: what the program does is told of this file. */
  readonly script?: string;
  /** What was seen: the system's refusal, or an end before the first answer. */
  readonly failure:
    | { readonly type: "refused"; readonly errno: string }
    | { readonly type: "exited"; readonly exit: Exit };
  /** Node's names of this machine: `process.platform`, `process.arch`. */
  readonly platform: string;
  readonly arch: string;
  /** The PATH of a login shell, when known: a program started from a desktop often has a shorter one. */
  readonly loginPath?: string;
}

export interface StartDiagnosis {
  /** Stable, for programs. */
  readonly code: StartDiagnosisCode;
  /** The cause in one or two sentences. Names the file and what the system said; holds no output of the program. */
  readonly message: string;
  /** One sentence on what to do. */
  readonly next: string;
}

/** The first cause, from outside in: directory, file, permission, format, interpreter, processor, the program itself. */
export function diagnoseStart(facts: StartFacts): StartDiagnosis {
  return fileFault(facts) ?? formatFault(facts) ?? interpreterFault(facts) ?? ownFault(facts);
}

function fileFault(facts: StartFacts): StartDiagnosis | null {
  const { command, failure } = facts;
  const said = failure.type === "refused" ? ` (${failure.errno})` : "";
  if (!command.cwdExists && failure.type === "refused") {
    return {
      code: "working_directory_missing",
      message: `The working directory ${command.cwd} does not exist${said}.`,
      next: "Create the directory or start from one that exists.",
    };
  }
  const { resolved } = command;
  if (resolved === null) {
    return {
      code: "command_not_in_path",
      message: `The command ${quoted(command.command)} is in no directory of PATH${said}. ${pathSearched(facts)}`,
      next: `Install ${quoted(command.command)} or give its absolute path.${pathHint(facts)}`,
    };
  }
  switch (command.kind.type) {
    case "missing":
      return {
        code: "command_not_found",
        message: `The command ${resolved} does not exist${said}.`,
        next: "Build or restore the file, or correct the command.",
      };
    case "directory":
      return {
        code: "command_is_directory",
        message: `The command ${resolved} is a directory${said}.`,
        next: "Name the program inside it.",
      };
    default:
      if (command.executable || facts.platform === "win32") return null;
      return {
        code: "not_executable",
        message: `The command ${resolved} is not executable${said}.`,
        next: `Run: chmod +x ${shellQuoted(resolved)}`,
      };
  }
}

function formatFault({ command, platform, arch, failure }: StartFacts): StartDiagnosis | null {
  const file = command.resolved ?? command.command;
  switch (command.kind.type) {
    case "empty":
      return {
        code: "empty_file",
        message: `The command ${file} is an empty file.`,
        next: "Build or restore the file.",
      };
    case "text":
      return {
        code: "no_shebang",
        message: `The command ${file} is a text file whose first line names no interpreter.`,
        next: 'Begin the file with a line such as "#!/usr/bin/env node".',
      };
    case "elf": {
      const { cpu } = command.kind;
      if (platform !== "linux") return wrongSystem(file, "Linux", platform);
      if (cpu === arch || (arch === "x64" && cpu === "ia32" && failure.type === "exited")) return null;
      return {
        code: "wrong_cpu",
        message: `The command ${file} is built for ${cpu}, and this machine is ${arch}.`,
        next: `Install or build the ${platform} ${arch} version.`,
      };
    }
    case "windows":
      return platform === "win32" ? null : wrongSystem(file, "Windows", platform);
    case "macos":
      return platform === "darwin" ? null : wrongSystem(file, "macOS", platform);
    default:
      return null;
  }
}

function wrongSystem(file: string, built: string, platform: string): StartDiagnosis {
  return {
    code: "wrong_system",
    message: `The command ${file} is built for ${built}, and this machine runs ${platform}.`,
    next: `Install or build the ${platform} version.`,
  };
}

function interpreterFault(facts: StartFacts): StartDiagnosis | null {
  const { command } = facts;
  const file = command.resolved ?? command.command;
  if (command.kind.type === "script" && command.kind.crlf) {
    return {
      code: "crlf_shebang",
      message: `The first line of ${file} ends with CR LF, so the system looks for an interpreter named "${command.kind.interpreter}\\r".`,
      next: "Save the file with LF line ends, and keep git from changing them (.gitattributes: * text eol=lf).",
    };
  }
  if (command.interpreter === null || command.interpreter.found !== null) return null;
  const { wanted } = command.interpreter;
  if (command.kind.type === "elf") {
    return {
      code: "missing_loader",
      message: `The command ${file} needs the loader ${wanted}, which this system does not have.`,
      next: "Install a build for this system's C library (glibc or musl).",
    };
  }
  const searched = wanted.includes("/") ? "" : ` ${pathSearched(facts)}`;
  return {
    code: "missing_interpreter",
    message: `The first line of ${file} asks for the interpreter ${quoted(wanted)}, which is not installed.${searched}`,
    next: `Install ${quoted(wanted)} or correct the first line of the file.${wanted.includes("/") ? "" : pathHint(facts)}`,
  };
}

function ownFault({ command, args, script, failure }: StartFacts): StartDiagnosis {
  const file = command.resolved ?? command.command;
  const byHand = `Run it by hand to see more: ${commandLine(file, args)}`;
  if (failure.type === "refused") {
    return {
      code: "start_refused",
      message: `The system refused to start ${file} (${failure.errno}).`,
      next: REFUSALS[failure.errno] ?? byHand,
    };
  }
  const { exit } = failure;
  const program = script ?? file;
  const after = `after ${Math.round(exit.elapsedMillis)} ms`;
  if (exit.signal !== null) {
    return {
      code: "killed_before_answer",
      message: `${program} was ended by ${describeExit(exit)} ${after}, before it answered.`,
      next: SIGNALS[exit.signal] ?? "Look for what ended it in the system's log.",
    };
  }
  return {
    code: "exited_before_answer",
    message: `${program} ended with ${describeExit(exit)} ${after}, before it answered.`,
    next: byHand,
  };
}

const REFUSALS: Readonly<Record<string, string>> = {
  E2BIG: "Pass fewer or shorter arguments and environment variables.",
  EAGAIN: "The limit of processes is reached: end some, or raise it (ulimit -u).",
  EMFILE: "The limit of open files is reached: close some, or raise it (ulimit -n).",
  ENOMEM: "The machine is out of memory: end other programs first.",
  EACCES: "Look at the permissions of the directories above it, and whether its file system allows programs (noexec).",
  ETXTBSY: "The file is being written: wait for the build to end and try again.",
};

const SIGNALS: Readonly<Record<string, string>> = {
  SIGKILL: "Look for the out-of-memory killer in the system's log.",
  SIGSEGV: "The program crashed: install another version of it or of its libraries.",
  SIGILL: "The program uses instructions this processor lacks: install a build for an older one.",
  SIGABRT: "The program gave up by itself: its error output says why.",
};

function pathSearched({ command, loginPath }: StartFacts): string {
  const searched = command.searchPath;
  const where = searched.length === 0 ? "PATH is empty." : `Searched: ${searched.join(":")}.`;
  return loginPath !== undefined && loginPath !== searched.join(":")
    ? `${where} A login shell's PATH differs: ${loginPath}.`
    : where;
}

function pathHint({ loginPath }: StartFacts): string {
  return loginPath === undefined ? "" : " A program started from a desktop has a shorter PATH than a terminal.";
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A line that a person can paste into a POSIX shell. */
export function commandLine(command: string, args: readonly string[] = []): string {
  return [command, ...args].map(shellQuoted).join(" ");
}

/** One word for a shell, and one line for a reader: control characters are written as `$'\n'` has them. */
function shellQuoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (!CONTROL.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  return `$'${escaped.replace(EVERY_CONTROL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}'`;
}

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
const EVERY_CONTROL = new RegExp(CONTROL.source, "gu");
