/** Looks at a command on disk, without running it, for the facts a diagnosis needs. */
import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import path from "node:path";
import { FORMAT_BYTES, formatOf, type ExecutableFormat } from "./executable-format.ts";

export type FileKind =
  | { readonly type: "missing" }
  | { readonly type: "directory" }
  | { readonly type: "unreadable" }
  | ExecutableFormat;

export interface CommandFacts {
  readonly command: string;
  /** The file the command stands for, or null when no directory of PATH has one. */
  readonly resolved: string | null;
  /** The directories of PATH: searched for a bare name, and for a script's bare interpreter. */
  readonly searchPath: readonly string[];
  readonly cwd: string;
  readonly cwdExists: boolean;
  readonly kind: FileKind;
  /** Whether this user may execute the file. */
  readonly executable: boolean;
  /** The program that a script's first line, or an ELF file's loader entry, asks for. Null when none is asked for. */
  readonly interpreter: { readonly wanted: string; readonly found: string | null } | null;
}

export interface InspectOptions {
  readonly command: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Never throws for what is on disk: a file that cannot be read is a fact as well. */
export async function inspectCommand(options: InspectOptions): Promise<CommandFacts> {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const directories = splitPath((options.env ?? process.env)["PATH"], cwd);
  const isPath = options.command.includes("/") || path.isAbsolute(options.command);
  const resolved = isPath ? path.resolve(cwd, options.command) : await findInPath(options.command, directories);
  const kind: FileKind = resolved === null ? { type: "missing" } : await fileKind(resolved);
  return {
    command: options.command,
    resolved,
    searchPath: directories,
    cwd,
    cwdExists: await isDirectory(cwd),
    kind,
    executable: resolved !== null && (await isExecutable(resolved)),
    interpreter: await interpreterOf(kind, directories),
  };
}

/** The first bytes of a file, or null when it cannot be read. */
export async function readHead(file: string): Promise<Buffer | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(FORMAT_BYTES), 0, FORMAT_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return null;
  }
}

function splitPath(value: string | undefined, cwd: string): readonly string[] {
  const directories = (value ?? "").split(path.delimiter).filter((directory) => directory !== "");
  return directories.map((directory) => path.resolve(cwd, directory));
}

/** The first executable file of that name; else the first file of that name, so that its fault can be told. */
async function findInPath(name: string, directories: readonly string[]): Promise<string | null> {
  let present: string | null = null;
  for (const directory of directories) {
    const file = path.join(directory, name);
    const isFile = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (!isFile) continue;
    if (await isExecutable(file)) return file;
    present ??= file;
  }
  return present;
}

async function fileKind(file: string): Promise<FileKind> {
  try {
    const stats = await stat(file);
    if (stats.isDirectory()) return { type: "directory" };
    if (!stats.isFile()) return { type: "unreadable" };
  } catch (error) {
    const gone = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    return { type: gone ? "missing" : "unreadable" };
  }
  const head = await readHead(file);
  return head === null ? { type: "unreadable" } : formatOf(head);
}

async function interpreterOf(kind: FileKind, directories: readonly string[]): Promise<CommandFacts["interpreter"]> {
  if (kind.type === "elf" && kind.loader !== null) {
    return { wanted: kind.loader, found: (await isExecutable(kind.loader)) ? kind.loader : null };
  }
  if (kind.type !== "script") return null;
  const { interpreter } = kind;
  if (!(await isExecutable(interpreter))) return { wanted: interpreter, found: null };
  if (path.basename(interpreter) !== "env" || kind.argument === null)
    return { wanted: interpreter, found: interpreter };
  // `env` starts the first word that is neither an option of its own nor a variable.
  const program = kind.argument.split(/[ \t]+/).find((word) => !word.startsWith("-") && !word.includes("="));
  if (program === undefined) return { wanted: interpreter, found: interpreter };
  if (program.includes("/")) return { wanted: program, found: (await isExecutable(program)) ? program : null };
  const found = await findInPath(program, directories);
  return { wanted: program, found: found !== null && (await isExecutable(found)) ? found : null };
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function isDirectory(file: string): Promise<boolean> {
  return stat(file).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
