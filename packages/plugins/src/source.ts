/** Reads what a person names as the source of a plugin (pure). */

export type Source =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "tarball"; readonly location: string; readonly remote: boolean }
  | { readonly kind: "npm"; readonly spec: string }
  | GitSource;

export interface GitSource {
  readonly kind: "git";
  /** What git is given; may hold credentials. */
  readonly url: string;
  /** Branch, tag or commit; null for the default branch. */
  readonly ref: string | null;
  /** Folder inside the repository, relative; empty for its root. */
  readonly folder: string;
  /** A `/tree/` address, whose ref may hold slashes: ref and folder together, to be told apart by the repository's refs. */
  readonly tree: string | null;
}

export type ParsedSource =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly problem: string };

const FORMS =
  "a folder, git:github.com/owner/repo[@ref], a git or https URL (with /tree/<ref>/<path>), a .tgz or .tar file, or npm:<name>@<range>";

/** `text` as typed. Local paths are left as they are; whether a folder is a bare repository is seen on disk. */
export function parseSource(text: string): ParsedSource {
  const trimmed = text.trim();
  if (trimmed === "") return refused(`the source is empty; give ${FORMS}`);
  if (/[\0\r\n]/.test(trimmed)) return refused("the source holds a line end or NUL");
  if (trimmed.startsWith("-")) return refused(`"${trimmed}" looks like an option; put ./ before a folder of that name`);
  if (trimmed.startsWith("npm:")) return npmSource(trimmed.slice(4));
  if (trimmed.startsWith("git:") && !trimmed.startsWith("git://")) return gitPrefixed(trimmed.slice(4));
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return urlSource(trimmed);
  if (/^[\w.-]+@[\w.-]+:(?!\/\/)/.test(trimmed)) return gitUrl(trimmed);
  if (/\.zip$/i.test(trimmed)) return refused("zip files are not read: unpack it and install the folder");
  if (isTarball(trimmed)) return { ok: true, source: { kind: "tarball", location: trimmed, remote: false } };
  return { ok: true, source: { kind: "folder", path: trimmed } };
}

/** How a source is shown and recorded: without password and token. The user name of an ssh address stays, it is part of it. */
export function withoutCredentials(text: string): string {
  return text
    .replace(/(\bhttps?:\/\/)[^/@\s]*@/gi, "$1")
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^/@:\s]*):[^/@\s]*@/gi, "$1@")
    .replace(/([?&](?:access_token|token|key|auth|password|private_token)=)[^&#\s]*/gi, "$1…");
}

function npmSource(spec: string): ParsedSource {
  if (spec === "" || /\s/.test(spec)) return refused("npm: wants a package, such as npm:reasonix-notes@^1.2.0");
  return { ok: true, source: { kind: "npm", spec } };
}

/** `git:github.com/owner/repo@ref`, or `git:` before any address or local path. */
function gitPrefixed(rest: string): ParsedSource {
  if (rest === "") return refused("git: wants a repository, such as git:github.com/owner/repo");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(rest)) return gitUrl(rest);
  if (/^[\w.-]+@[\w.-]+:/.test(rest)) return gitUrl(rest);
  if (/^[./~]/.test(rest) || /^[A-Za-z]:[\\/]/.test(rest)) return gitUrl(rest);
  return gitUrl(`https://${rest}`);
}

function urlSource(text: string): ParsedSource {
  const scheme = text.slice(0, text.indexOf(":")).toLowerCase();
  if (!["https", "http", "ssh", "git", "file", "git+https", "git+ssh", "git+file"].includes(scheme)) {
    return refused(`"${scheme}:" is no kind of address that is fetched; give ${FORMS}`);
  }
  const plain = text.split(/[?#]/, 1)[0] ?? "";
  if ((scheme === "https" || scheme === "http") && isTarball(plain)) {
    return { ok: true, source: { kind: "tarball", location: text, remote: true } };
  }
  return gitUrl(text.replace(/^git\+/i, ""));
}

function gitUrl(text: string): ParsedSource {
  const { address, ref: hashRef } = splitHash(text);
  // A local path may have a folder named tree: there the repository's own ending has to come before it.
  const isUrl = /^[a-z]+:\/\//i.test(address);
  const tree = (isUrl ? /^(.*?)\/(?:-\/)?tree\/(.+?)\/?$/ : /^(.*\.git)\/tree\/(.+?)\/?$/).exec(address);
  if (tree?.[1] !== undefined && tree[2] !== undefined && hashRef === null) {
    const rest = decodePath(tree[2]);
    if (rest === null || !isSafeTree(rest))
      return refused("the part after /tree/ is no ref and path inside the repository");
    return git(tree[1], null, rest);
  }
  const { address: bare, ref } = hashRef === null ? splitAt(address) : { address, ref: hashRef };
  if (ref !== null && !isSafeRef(ref)) return refused(`"${ref}" is no name of a branch, tag or commit`);
  return git(bare, ref, null);
}

function git(address: string, ref: string | null, tree: string | null): ParsedSource {
  const url = address.replace(/\/+$/, "");
  if (url === "" || /\/\.\.?(?:\/|$)/.test(url.replace(/^[./]+/, "")))
    return refused("the repository's address is not plain");
  return { ok: true, source: { kind: "git", url, ref, folder: "", tree } };
}

function splitHash(text: string): { readonly address: string; readonly ref: string | null } {
  const hash = text.indexOf("#");
  if (hash < 0) return { address: text, ref: null };
  return { address: text.slice(0, hash), ref: text.slice(hash + 1) };
}

/** The `@ref` after the path of an address; of a local path only its last segment may have one. */
function splitAt(address: string): { readonly address: string; readonly ref: string | null } {
  const host = /^(?:[a-z]+:\/\/[^/]*\/|[\w.-]+@[\w.-]+:)/i.exec(address)?.[0];
  const at = address.indexOf("@", host === undefined ? address.lastIndexOf("/") + 1 : host.length);
  if (at < 0) return { address, ref: null };
  return { address: address.slice(0, at), ref: address.slice(at + 1) };
}

/** What git accepts as a ref, and nothing that it would read as an option or a range. */
function isSafeRef(ref: string): boolean {
  return /^[A-Za-z0-9_][\w./+-]*$/.test(ref) && !ref.includes("..") && !ref.endsWith("/");
}

function isSafeTree(rest: string): boolean {
  return !rest.startsWith("-") && !rest.split("/").some((part) => part === ".." || part === "." || part === "");
}

function decodePath(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function isTarball(text: string): boolean {
  return /\.(?:tgz|tar\.gz|tar)$/i.test(text);
}

function refused(problem: string): ParsedSource {
  return { ok: false, problem };
}
