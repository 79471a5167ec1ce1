/** Files below a directory whose path matches a glob; ignored ones are left out. */
import path from "node:path";
import { ripgrep } from "./ripgrep.ts";

export type FileList =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** The glob is over paths relative to `cwd`, and so are the names that come back, sorted. */
export async function listFiles(
  target: string,
  glob: string,
  options: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<FileList> {
  const listed = await ripgrep(["--files", "--hidden", "--glob", "!.git/", "--null", "--", target], options);
  if (!listed.ok) return listed;
  const { default: picomatch } = await import("picomatch");
  const matches = picomatch(glob.replace(/^\.\//, ""), { dot: true });
  const files = listed.text
    .split("\0")
    .map((name) => name.replace(/^\.[\\/]/, ""))
    .filter((name) => name !== "" && matches(name.replaceAll(path.sep, "/")))
    .sort();
  return { ok: true, files };
}
