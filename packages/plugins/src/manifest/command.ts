/** What `runtime.command` may be: an absolute path, or a path with a slash inside the plugin's root (pure). */

const ROOT_VARIABLE = "${REASONIX_PLUGIN_ROOT}";

export interface CommandRefusal {
  readonly wanted: string;
  readonly hint: string;
}

const WANTED = "an absolute path, or a path with a slash inside the plugin's root";

/** Judges the letters alone; whether the file is there is doctor's question. Null when the command is fine. */
export function judgeCommand(command: string): CommandRefusal | null {
  if (command.includes("\0")) return { wanted: WANTED, hint: "A path holds no NUL." };
  const inner = innerPath(command);
  if (inner === null) return command.includes("/") || isAbsolute(command) ? null : bareName(command);
  return climbsOut(inner) ? { wanted: WANTED, hint: `"${command}" leads out of the root.` } : null;
}

/** Puts the root in place of `${REASONIX_PLUGIN_ROOT}`; every other variable stays as it is written. */
export function expandRoot(text: string, root: string): string {
  return text.replaceAll(ROOT_VARIABLE, root);
}

export function isAbsolute(command: string): boolean {
  return command.startsWith("/") || isWindowsAbsolute(command);
}

/** `C:\tool.exe`, `C:/tool.exe`, `\\server\share`. */
export function isWindowsAbsolute(command: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(command) || command.startsWith("\\\\");
}

/** The part below the root when the command is written relative to it, else null. */
function innerPath(command: string): string | null {
  if (command.startsWith(`${ROOT_VARIABLE}/`)) return command.slice(ROOT_VARIABLE.length + 1);
  if (isAbsolute(command) || !command.includes("/") || command.startsWith(ROOT_VARIABLE)) return null;
  return command;
}

function climbsOut(inner: string): boolean {
  let depth = 0;
  for (const part of inner.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "" && part !== ".") depth += 1;
    if (depth < 0) return true;
  }
  return depth === 0;
}

function bareName(command: string): CommandRefusal {
  const [program = "", ...rest] = command.trim().split(/\s+/);
  if (rest.length > 0) {
    return { wanted: WANTED, hint: "No shell reads the command: name the program here and each argument in args." };
  }
  if (/^(?:npx|npm|pnpm|yarn|bunx)(?:\.cmd)?$/i.test(program)) {
    return {
      wanted: WANTED,
      hint: `PATH is not searched and "${program}" is a launcher: ship the program and name its file, such as "./dist/cli.js", which runs with the host's own Node.`,
    };
  }
  const instead = INTERPRETERS.get(program.toLowerCase().replace(/\.exe$/, ""));
  return {
    wanted: WANTED,
    hint: `PATH is not searched. ${instead ?? `For a file of the package write "./${command}".`}`,
  };
}

const NODE_SCRIPT = 'Name the script itself, such as "./sidecar.mjs": it runs with the host\'s own Node.';
const withShebang = (file: string, line: string): string =>
  `Name the script itself, such as "./${file}", and begin it with "${line}".`;

const INTERPRETERS = new Map([
  ["node", NODE_SCRIPT],
  ["python", withShebang("sidecar.py", "#!/usr/bin/env python3")],
  ["python3", withShebang("sidecar.py", "#!/usr/bin/env python3")],
  ["sh", withShebang("run.sh", "#!/bin/sh")],
  ["bash", withShebang("run.sh", "#!/usr/bin/env bash")],
]);
