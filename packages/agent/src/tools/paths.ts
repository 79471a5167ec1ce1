/** Paths as tools take and show them. */
import path from "node:path";

/** Absolute from what a model wrote; `~` is not expanded, since no shell reads it. */
export function resolveIn(workspaceRoot: string, given: string): string {
  return path.resolve(workspaceRoot, given);
}

/** Relative to the workspace where it lies inside, with forward slashes. */
export function shown(workspaceRoot: string, absolute: string): string {
  const relative = path.relative(workspaceRoot, absolute);
  if (relative === "") return ".";
  const inside = !relative.startsWith("..") && !path.isAbsolute(relative);
  return (inside ? relative : absolute).replaceAll(path.sep, "/");
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A sentence for a failed file operation. */
export function fileProblem(error: unknown, what: string, given: string): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return `${what} ${given}: no such file or directory.`;
    case "EACCES":
    case "EPERM":
      return `${what} ${given}: permission denied.`;
    case "EISDIR":
      return `${what} ${given}: it is a directory; use list_dir.`;
    case "ENOTDIR":
      return `${what} ${given}: a part of the path is a file, not a directory.`;
    default:
      return `${what} ${given}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
