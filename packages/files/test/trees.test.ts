import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyTree, digestFile, digestTree, recoverSwap, surveyTree, swapTree } from "../src/index.ts";
import { mapInOrder } from "../src/map-in-order.ts";
import { bundleInto, ended, said, scratch, start } from "./bundle.ts";

let directory = "";
let source = "";
let target = "";
beforeEach(async () => {
  directory = await scratch();
  source = path.join(directory, "source");
  target = path.join(directory, "plugins", "target");
  await mkdir(source);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function put(name: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  const file = path.join(source, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  await chmod(file, mode);
}

const modeOf = async (file: string): Promise<number> => (await lstat(file)).mode & 0o7777;

describe("[X5] a digest tells one content from another", () => {
  test("of a file: SHA-256 over its raw bytes", async () => {
    await put("a", "abc");
    await put("large", Buffer.alloc(1_000_000, "a"));
    expect(await digestFile(path.join(source, "a"))).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(await digestFile(path.join(source, "large"))).toBe(
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    );
    await expect(digestFile(path.join(source, "absent"))).rejects.toMatchObject({ reason: "read_failed" });
    await symlink("a", path.join(source, "link"));
    await expect(digestFile(path.join(source, "link"))).rejects.toMatchObject({ reason: "read_failed" });
  });

  test("[case N-02] of a tree: path, content, executable bit and link target count, and nothing else", async () => {
    const digest = async (): Promise<string> => (await digestTree(source)).sha256;
    const seen = new Set<string>();
    const isNew = async (): Promise<boolean> => seen.size < seen.add(await digest()).size;
    await put("b/two.js", "2");
    await put("a.js", "1");
    expect(await isNew()).toBe(true);
    await put("a.js", "1 ");
    expect(await isNew()).toBe(true);
    await put("a.js", "1", 0o755);
    expect(await isNew()).toBe(true);
    await symlink("a.js", path.join(source, "l"));
    expect(await isNew()).toBe(true);
    await rm(path.join(source, "l"));
    await symlink("b", path.join(source, "l"));
    expect(await isNew()).toBe(true);
    await rm(path.join(source, "l"));
    await put("c", "");
    expect(await isNew()).toBe(true);
    await rm(path.join(source, "c"));
    // Back to a content that was seen: another time, mode of others and an empty directory change nothing.
    await put("a.js", "1", 0o600);
    await mkdir(path.join(source, "empty"));
    expect(await isNew()).toBe(false);
  });

  test("of a tree: a fixed value, so that one release reads what another wrote", async () => {
    await put("Z", "1");
    await put("a/b", "2", 0o755);
    await put("é", "3");
    await symlink("../Z", path.join(source, "a", "l"));
    expect((await surveyTree(source)).entries.map((entry) => entry.path)).toEqual(["Z", "a", "a/b", "a/l", "é"]);
    expect(await digestTree(source)).toEqual({
      sha256: "ed93cef29620790c201583d2f67ccac80eb00a01441d2ab8f97debf456a9cfee",
      files: 3,
      bytes: 3,
    });
  });

  test("[case M-10] names that are left out at every depth", async () => {
    await put("a", "1");
    const before = await digestTree(source, { ignore: [".git"] });
    await put(".git/hooks/pre-commit", "x", 0o755);
    await put("sub/.git/config", "x");
    expect(await digestTree(source, { ignore: [".git"] })).toEqual(before);
    expect((await digestTree(source)).files).toBe(3);
  });

  test("paths cannot be moved into contents", async () => {
    await put("a", "x");
    await put("b", "y");
    const first = await digestTree(source);
    await rm(path.join(source, "a"));
    await rm(path.join(source, "b"));
    await put("ab", "xy");
    expect((await digestTree(source)).sha256).not.toBe(first.sha256);
  });
});

describe("[M1] a tree is copied without letting it reach out of itself", () => {
  test("content, executable bits and links come along, write for others and set-user bits do not", async () => {
    await put("bin/run.js", "#!/usr/bin/env node\n", 0o777);
    await put("suid", "", 0o4755);
    await put("read-only", "x", 0o444);
    await put("large", Buffer.alloc(700_000, "z"));
    await symlink("bin/run.js", path.join(source, "run"));
    await symlink("not-there-yet", path.join(source, "dangling"));
    await mkdir(path.join(source, "empty"));
    await chmod(path.join(source, "bin"), 0o777);
    const survey = await copyTree(source, target);
    expect(survey).toMatchObject({ files: 4, bytes: 700_021 });
    expect(survey.biggest[0]).toEqual({ path: "large", bytes: 700_000 });
    expect((await readdir(target)).toSorted()).toEqual([
      "bin",
      "dangling",
      "empty",
      "large",
      "read-only",
      "run",
      "suid",
    ]);
    expect(await modeOf(path.join(target, "bin", "run.js"))).toBe(0o755);
    expect(await modeOf(path.join(target, "bin"))).toBe(0o755);
    expect(await modeOf(path.join(target, "suid"))).toBe(0o755);
    expect(await modeOf(path.join(target, "read-only"))).toBe(0o644);
    expect(await readlink(path.join(target, "run"))).toBe("bin/run.js");
    expect((await readFile(path.join(target, "large"))).equals(Buffer.alloc(700_000, "z"))).toBe(true);
    expect(await digestTree(target)).toEqual(await digestTree(source));
  });

  test("[case M-10] .git and node_modules stay behind, at every depth", async () => {
    await put("SKILL.md", "x");
    await put(".git/hooks/post-checkout", "x", 0o755);
    await put("node_modules/p/SKILL.md", "x");
    await put("sub/node_modules/p/i.js", "x");
    await copyTree(source, target);
    expect((await surveyTree(target)).entries.map((entry) => entry.path)).toEqual(["SKILL.md", "sub"]);
  });

  test.each([
    ["../outside", "up"],
    ["/etc/passwd", "absolute"],
    ["sub/../../outside", "round about"],
    ["chain", "through another link"],
  ])("a link to %s is refused", async (to) => {
    await put("sub/x", "");
    await writeFile(path.join(directory, "outside"), "secret");
    await symlink("..", path.join(source, "sub", "up"));
    await symlink(to === "chain" ? "sub/up/../outside" : to, path.join(source, "link"));
    const link = path.join(source, "link");
    await expect(copyTree(source, target)).rejects.toMatchObject({ reason: "link_leaves_tree", file: link });
    await expect(stat(path.dirname(target))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a FIFO is refused and not waited for", async () => {
    execFileSync("mkfifo", [path.join(source, "pipe")]);
    await expect(copyTree(source, target)).rejects.toMatchObject({
      reason: "unsupported_entry",
      file: path.join(source, "pipe"),
    });
    expect((await digestTree(source)).files).toBe(0);
  });

  test("[case N-05] a tree above the limit is refused with its size, the limit and the biggest files", async () => {
    await put("small", "x");
    await put("big.bin", Buffer.alloc(5_000));
    await expect(copyTree(source, target, { maxBytes: 4_000 })).rejects.toMatchObject({
      reason: "too_large",
      message: `${source} holds 5001 bytes, and at most 4000 are allowed. Biggest files: big.bin (5000 bytes), small (1 bytes).`,
    });
    await expect(copyTree(source, target, { maxFiles: 1 })).rejects.toThrow("holds 2 files, and at most 1 are allowed");
    await expect(copyTree(source, target, { maxFiles: 2, maxBytes: 5_001 })).resolves.toMatchObject({ files: 2 });
  });

  test("[case N-05] thousands of small files are no trouble", async () => {
    for (let i = 0; i < 1_000; i++) await put(`d${i % 20}/f${i}`, "x");
    expect(await copyTree(source, target)).toMatchObject({ files: 1_000, bytes: 1_000 });
    expect(await digestTree(target)).toEqual(await digestTree(source));
  });

  test("a failure in the middle removes what was copied, and the first error is the one that is told", async () => {
    for (let i = 0; i < 50; i++) await put(`f${String(i).padStart(2, "0")}`, "x");
    const done: number[] = [];
    const attempt = mapInOrder([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], async (item) => {
      if (item === 3) throw new Error("third");
      await new Promise(setImmediate);
      done.push(item);
      return item;
    });
    await expect(attempt).rejects.toThrow("third");
    expect(done).toEqual([1, 2, 4, 5, 6, 7, 8]);
    const controller = new AbortController();
    const copying = copyTree(source, target, { signal: controller.signal });
    setImmediate(() => controller.abort(new Error("stop")));
    await expect(copying).rejects.toThrow("stop");
    await expect(stat(target)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("an existing target is not touched, and a copy that fails leaves nothing", async () => {
    await put("a", "x");
    await mkdir(target, { recursive: true });
    await expect(copyTree(source, target)).rejects.toMatchObject({ reason: "already_exists", file: target });
    expect(await readdir(target)).toEqual([]);
    const gone = path.join(directory, "gone");
    const stop = AbortSignal.abort(new Error("changed my mind"));
    await expect(copyTree(source, gone, { signal: stop })).rejects.toThrow("changed my mind");
    await expect(stat(gone)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("[M1] a finished tree takes the place of another", () => {
  const version = async (): Promise<string> => readFile(path.join(target, "version"), "utf8");
  const stage = async (content: string): Promise<string> => {
    const staged = path.join(directory, "plugins", `.staged-${content}`);
    await mkdir(staged, { recursive: true });
    await writeFile(path.join(staged, "version"), content);
    return staged;
  };

  test("[case N-03] first, then in place of the first, and nothing is left beside it", async () => {
    await swapTree(await stage("v1"), target);
    expect(await version()).toBe("v1");
    await swapTree(await stage("v2"), target);
    expect(await version()).toBe("v2");
    expect(await readdir(path.dirname(target))).toEqual(["target"]);
    expect(await recoverSwap(target)).toBe("nothing");
  });

  test("[case N-03] a failed swap leaves the old one", async () => {
    await swapTree(await stage("v1"), target);
    const absent = path.join(directory, "plugins", "absent");
    await expect(swapTree(absent, target)).rejects.toMatchObject({ reason: "write_failed", file: target });
    expect(await version()).toBe("v1");
  });

  test("[case N-03] a crash between the two moves is undone, one after them is cleaned up", async () => {
    await swapTree(await stage("v1"), target);
    const aside = path.join(directory, "plugins", ".target.replaced");
    const { rename } = await import("node:fs/promises");
    await rename(target, aside);
    expect(await recoverSwap(target)).toBe("restored");
    expect(await version()).toBe("v1");
    await mkdir(aside);
    expect(await recoverSwap(target)).toBe("removed");
    expect(await readdir(path.dirname(target))).toEqual(["target"]);
  });

  test("[case N-03] killed at any moment, one version is there, whole", async () => {
    await bundleInto(directory);
    const program = `
      import { mkdir, rm, writeFile } from "node:fs/promises";
      import { copyTree, swapTree } from "./files.mjs";
      const [, , source, target] = process.argv;
      for (let i = 0; ; i++) {
        const staged = target + ".staged";
        await rm(staged, { recursive: true, force: true });
        await copyTree(source, staged);
        await writeFile(staged + "/version", "v" + i);
        await swapTree(staged, target);
        if (i === 0) process.stdout.write("begun");
      }`;
    for (let i = 0; i < 20; i++) await put(`f${i}`, "x".repeat(1_000));
    const wanted = new Set([...Array.from({ length: 20 }, (_, i) => `f${i}`), "version"]);
    for (let round = 0; round < 5; round++) {
      const updater = await start(directory, "update.mjs", program, [source, target]);
      const end = ended(updater);
      await said(updater, "begun");
      // Not a wait for a condition: the rounds differ so that the kill falls on different steps.
      await new Promise((resolve) => setTimeout(resolve, (round * 5) % 17));
      updater.kill("SIGKILL");
      await end;
      await recoverSwap(target);
      expect(new Set(await readdir(target))).toEqual(wanted);
      expect(await version()).toMatch(/^v\d+$/);
    }
  });
});
