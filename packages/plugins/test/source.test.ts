import { describe, expect, it } from "vitest";
import { parseSource, withoutCredentials } from "../src/source.ts";
import { splitTree } from "../src/fetch/tree-ref.ts";
import { entryFault } from "../src/fetch/tarball.ts";

const git = (url: string, ref: string | null = null, tree: string | null = null): object => ({
  ok: true,
  source: { kind: "git", url, ref, folder: "", tree },
});

describe("what a person names as a source", () => {
  it.each([
    ["git:github.com/owner/repo", git("https://github.com/owner/repo")],
    ["git:github.com/owner/repo@v1.2.0", git("https://github.com/owner/repo", "v1.2.0")],
    ["git:github.com/owner/repo@feature/x", git("https://github.com/owner/repo", "feature/x")],
    ["https://github.com/owner/repo/", git("https://github.com/owner/repo")],
    ["https://github.com/owner/repo#main", git("https://github.com/owner/repo", "main")],
    ["https://github.com/o/r/tree/main/integrations/x", git("https://github.com/o/r", null, "main/integrations/x")],
    ["https://gitlab.com/o/r/-/tree/main/x", git("https://gitlab.com/o/r", null, "main/x")],
    ["git+ssh://git@host/o/r.git", git("ssh://git@host/o/r.git")],
    ["git@github.com:o/r.git", git("git@github.com:o/r.git")],
    ["git@github.com:o/r.git@v1", git("git@github.com:o/r.git", "v1")],
    ["git:/srv/a@b/r.git@v1", git("/srv/a@b/r.git", "v1")],
    ["git:/srv/tree/r.git", git("/srv/tree/r.git")],
    ["git:/srv/tree/r.git/tree/main/x", git("/srv/tree/r.git", null, "main/x")],
    ["file:///srv/r.git/tree/main/x", git("file:///srv/r.git", null, "main/x")],
    ["https://user:tok@host/o/r", git("https://user:tok@host/o/r")],
    ["npm:@scope/name@^1.2", { ok: true, source: { kind: "npm", spec: "@scope/name@^1.2" } }],
    ["./a.tgz", { ok: true, source: { kind: "tarball", location: "./a.tgz", remote: false } }],
    [
      "https://h/a.tar.gz?x=1",
      { ok: true, source: { kind: "tarball", location: "https://h/a.tar.gz?x=1", remote: true } },
    ],
    ["../plugin", { ok: true, source: { kind: "folder", path: "../plugin" } }],
  ])("[M1] %j", (text, expected) => {
    expect(parseSource(text)).toEqual(expected);
  });

  it.each([
    ["", "the source is empty"],
    ["--upload-pack=x", "looks like an option"],
    ["git:github.com/o/r@--output=x", "is no name of a branch, tag or commit"],
    ["git:github.com/o/r@a..b", "is no name of a branch, tag or commit"],
    ["https://h/o/r/tree/main/../../x", "is no ref and path inside the repository"],
    ["https://h/o/r/tree/main/%2e%2e/x", "is no ref and path inside the repository"],
    ["ext::sh -c x", ""],
    ["ftp://h/x", '"ftp:" is no kind of address that is fetched'],
    ["x.zip", "zip files are not read"],
    ["npm:", "npm: wants a package"],
  ])("[M1] %j is refused, or no more than a folder", (text, problem) => {
    const parsed = parseSource(text);
    if (problem === "") expect(parsed).toEqual({ ok: true, source: { kind: "folder", path: text } });
    else expect(parsed).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });

  it.each([
    ["https://user:tok@host/o/r", "https://host/o/r"],
    ["https://tok@host/o/r", "https://host/o/r"],
    ["ssh://git@host/o/r", "ssh://git@host/o/r"],
    ["ssh://git:pw@host/o/r", "ssh://git@host/o/r"],
    ["https://h/a.tgz?token=abc&x=1", "https://h/a.tgz?token=…&x=1"],
  ])("[M1] [case N-07] %j is shown as %j", (text, shown) => {
    expect(withoutCredentials(text)).toBe(shown);
  });

  it.each([
    ["main/a/b", ["main"], "main", "a/b"],
    ["feature/x/a", ["feature", "feature/x"], "feature/x", "a"],
    ["v1", ["v1"], "v1", ""],
    ["0123abc/a", [], "0123abc", "a"],
  ])("[M1] of %j with the refs %j the ref is %j", (rest, refs, ref, folder) => {
    expect(splitTree(rest, refs)).toEqual({ ref, folder });
  });
});

describe("entries of an archive", () => {
  it.each([
    ["package/a.js", "File", "", null],
    ["package/l", "SymbolicLink", "a.js", null],
    ["package/d/l", "SymbolicLink", "../../../x", 'link "package/d/l" leads out of the archive'],
    ["package/l", "SymbolicLink", "/etc/passwd", 'link "package/l" leads out of the archive'],
    ["package/l", "Link", "../x", 'link "package/l" leads out of the archive'],
    ["../x", "File", "", 'entry "../x" leads out of the archive'],
    ["/x", "File", "", 'entry "/x" leads out of the archive'],
    ["C:/x", "File", "", 'entry "C:/x" leads out of the archive'],
    ["a\\..\\x", "File", "", 'entry "a\\\\..\\\\x" leads out of the archive'],
    ["null", "CharacterDevice", "", 'entry "null" is a CharacterDevice'],
    ["pipe", "FIFO", "", 'entry "pipe" is a FIFO'],
  ])("[M1] %j of type %s to %j", (name, type, link, fault) => {
    expect(entryFault(name, type, link)).toBe(fault);
  });
});
