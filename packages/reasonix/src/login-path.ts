/** The PATH of a person's login shell: programs started from a desktop have another one. */
import { runProgram, StartError } from "@reasonix-ts/process";
import type { World } from "./world.ts";

/** What a shell starts from at a login; its own files add the rest. */
const FIRST_PATH = "/usr/bin:/bin:/usr/sbin:/sbin";
const MARK = "reasonix-login-path";
/** Files of a login shell can do anything; who waits for doctor does not wait for all of it. */
const PATIENCE_MILLIS = 2_000;

/**
 * Asks `$SHELL` for it. Null where nobody sits at a terminal, and where the shell does not tell within two seconds:
 * the path is then unknown, and doctor says nothing of it.
 */
export async function loginPath({
  env,
  stdout,
  patienceMillis = PATIENCE_MILLIS,
}: Pick<World, "env" | "stdout"> & { readonly patienceMillis?: number }): Promise<string | null> {
  const shell = env["SHELL"] ?? "";
  if (stdout.isTTY !== true || process.platform === "win32" || !shell.startsWith("/")) return null;
  try {
    // The same words in every shell; marks, because a shell's files print what they like.
    const { outcome, stdout: said } = await runProgram({
      command: shell,
      args: ["-l", "-c", `echo ${MARK}; printenv PATH; echo ${MARK}`],
      env: { ...env, PATH: FIRST_PATH },
      timeoutMillis: patienceMillis,
      maxOutputBytes: 65_536,
    });
    return outcome === "exited" ? pathIn(said.text) : null;
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
}

function pathIn(said: string): string | null {
  const [, path = ""] = said.split(`${MARK}\n`);
  return path.trim() === "" ? null : path.trim();
}
