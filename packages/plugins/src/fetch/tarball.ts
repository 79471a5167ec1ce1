/** Unpacks a tar file, compressed or not, that nobody vouches for. */
import { createWriteStream } from "node:fs";
import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { formatBytes } from "@reasonix-ts/text";
import { PluginError } from "../error.ts";
import { manifestKindAt, hasMarketplace } from "../package/locate.ts";
import { withoutCredentials } from "../source.ts";
import type { FetchContext, Fetched } from "./fetched.ts";

/** Of the packed file, and of all that comes out of it: a repository may hold far more than the package. */
const PACKED_BYTES = 104_857_600;
const UNPACKED_BYTES = 524_288_000;
const UNPACKED_ENTRIES = 200_000;
const DOWNLOAD_MILLIS = 300_000;

export async function fetchTarball(location: string, remote: boolean, context: FetchContext): Promise<Fetched> {
  const local = remote ? null : path.resolve(context.cwd, location);
  const label = local ?? withoutCredentials(location);
  const file = local ?? (await download(location, label, context));
  return { root: await unpack(file, label, context), folder: "", commit: null, local: false, label };
}

/** Into `<scratch>/unpacked`; a single top folder, as npm and code hosts pack it, is stepped into. */
export async function unpack(file: string, label: string, context: FetchContext): Promise<string> {
  const size = await stat(file).catch((error: unknown) => {
    throw new PluginError("source_unreachable", `${label} cannot be read: ${messageOf(error)}`, error);
  });
  if (!size.isFile()) throw new PluginError("source_invalid", `${label} is no file.`);
  const into = path.join(context.scratch, "unpacked");
  await mkdir(into, { recursive: true });
  const { extract } = await import("tar");
  const refusals: string[] = [];
  let bytes = 0;
  let entries = 0;
  try {
    await extract({
      file,
      cwd: into,
      strict: true,
      preserveOwner: false,
      filter(name, entry) {
        const type = "type" in entry ? String(entry.type) : "File";
        entries += 1;
        bytes += entry.size ?? 0;
        if (bytes > UNPACKED_BYTES || entries > UNPACKED_ENTRIES) {
          refusals.push(`it unpacks to more than ${formatBytes(UNPACKED_BYTES)} or ${UNPACKED_ENTRIES} entries`);
          return false;
        }
        const fault = entryFault(name, type, "linkpath" in entry ? String(entry.linkpath ?? "") : "");
        if (fault !== null) refusals.push(fault);
        return fault === null && !LEFT_OUT.test(name);
      },
    });
  } catch (error) {
    if (refusals.length === 0)
      throw new PluginError("source_invalid", `${label} cannot be unpacked: ${messageOf(error)}`, error);
  }
  if (refusals.length > 0)
    throw new PluginError("source_invalid", `${label} is refused: ${refusals.slice(0, 3).join("; ")}.`);
  return packageRoot(into);
}

const LEFT_OUT = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;

/** What an entry of an archive may not be (pure). */
export function entryFault(name: string, type: string, linkpath: string): string | null {
  const shown = JSON.stringify(name);
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name) || name.includes("\\") || name.split("/").includes("..")) {
    return `entry ${shown} leads out of the archive`;
  }
  switch (type) {
    case "File":
    case "OldFile":
    case "ContiguousFile":
    case "Directory":
    case "GNUDumpDir":
      return null;
    case "SymbolicLink": {
      const target = path.posix.normalize(path.posix.join(path.posix.dirname(name), linkpath));
      const leaves = linkpath.startsWith("/") || linkpath.includes("\\") || target === ".." || target.startsWith("../");
      return leaves ? `link ${shown} leads out of the archive` : null;
    }
    case "Link":
      return linkpath.startsWith("/") || linkpath.split("/").includes("..")
        ? `link ${shown} leads out of the archive`
        : null;
    default:
      return `entry ${shown} is a ${type}`;
  }
}

async function packageRoot(into: string): Promise<string> {
  if ((await manifestKindAt(into)) !== null || (await hasMarketplace(into))) return into;
  const names = await readdir(into, { withFileTypes: true });
  const [only] = names;
  return names.length === 1 && only?.isDirectory() === true ? path.join(into, only.name) : into;
}

async function download(location: string, label: string, context: FetchContext): Promise<string> {
  const file = path.join(context.scratch, "download.tar");
  const signals = [AbortSignal.timeout(DOWNLOAD_MILLIS), ...(context.signal === undefined ? [] : [context.signal])];
  const signal = AbortSignal.any(signals);
  try {
    const response = await fetch(location, { signal });
    if (!response.ok || response.body === null) {
      throw new PluginError("source_unreachable", `${label} answered ${response.status} ${response.statusText}.`);
    }
    await pipeline(Readable.fromWeb(response.body), capped(label), createWriteStream(file), { signal });
    return file;
  } catch (error) {
    context.signal?.throwIfAborted();
    if (error instanceof PluginError) throw error;
    throw new PluginError("source_unreachable", `${label} cannot be downloaded: ${messageOf(error)}`, error);
  }
}

function capped(label: string): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array> {
  return async function* limit(source) {
    let bytes = 0;
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > PACKED_BYTES)
        throw new PluginError("too_large", `${label} is larger than ${formatBytes(PACKED_BYTES)}.`);
      yield piece;
    }
  };
}

function messageOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return error instanceof Error ? `${error.message}${cause}` : String(error);
}
