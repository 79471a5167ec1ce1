/** Puts the plugin's root in the place of its variables, for programs and for shells (pure). */
import type { HookShell } from "../manifest/hook-fields.ts";

/** Names under which formats know the root. */
const NAMES = "REASONIX_PLUGIN_ROOT|CLAUDE_PLUGIN_ROOT|CODEX_PLUGIN_ROOT";
const VARIABLE = new RegExp(`\\$\\{(?:${NAMES})\\}|\\$(?:${NAMES})(?![A-Za-z0-9_])|%(?:${NAMES})%`, "g");

/** In a text that no shell reads. Other variables stay as they are written. */
export function expandPlain(text: string, root: string): string {
  return text.replace(VARIABLE, () => root);
}

/** In a shell's script: quoted as the place demands, so that spaces and signs of the root mean nothing to the shell. */
export function expandScript(script: string, root: string, shell: HookShell): string {
  if (shell === "cmd")
    return script.replace(VARIABLE, (_found, at: number) => (insideDouble(script, at, "") ? root : `"${root}"`));
  const powershell = shell === "powershell" || shell === "pwsh";
  let out = "";
  let last = 0;
  for (const found of script.matchAll(VARIABLE)) {
    const at = found.index;
    out += script.slice(last, at) + (powershell ? forPowershell(script, at, root) : forPosix(script, at, root));
    last = at + found[0].length;
  }
  return out + script.slice(last);
}

type Quote = "none" | "single" | "double";

function forPosix(script: string, at: number, root: string): string {
  switch (quoteAt(script, at, "\\")) {
    case "none":
      return `'${root.replaceAll("'", "'\\''")}'`;
    case "single":
      return root.replaceAll("'", "'\\''");
    case "double":
      return root.replace(/[\\"$`]/g, "\\$&");
  }
}

function forPowershell(script: string, at: number, root: string): string {
  switch (quoteAt(script, at, "`")) {
    case "none":
      return `'${root.replaceAll("'", "''")}'`;
    case "single":
      return root.replaceAll("'", "''");
    case "double":
      return root.replace(/[`"$]/g, "`$&");
  }
}

function insideDouble(script: string, at: number, escape: string): boolean {
  return quoteAt(script, at, escape) === "double";
}

/** Which quotes are open at a place of the script. */
function quoteAt(script: string, at: number, escape: string): Quote {
  let open: Quote = "none";
  for (let index = 0; index < at; index++) {
    const character = script[index] ?? "";
    if (character === escape && open !== "single") index += 1;
    else if (character === "'" && open !== "double") open = open === "single" ? "none" : "single";
    else if (character === '"' && open !== "single") open = open === "double" ? "none" : "double";
  }
  return open;
}
