import { existsSync } from "node:fs";
import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { acquireLock, withLock } from "../src/index.ts";
import { createLockFile, createWithoutLink, readHolder } from "../src/lock-file.ts";
import { bundleInto, ended, said, scratch, start } from "./bundle.ts";

let directory = "";
beforeEach(async () => {
  directory = await scratch();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const COUNT = `
  import { readFile, writeFile } from "node:fs/promises";
  import { withLock } from "./files.mjs";
  const file = process.argv[2];
  for (let i = 0; i < Number(process.argv[3]); i++) {
    await withLock(file, async () => {
      const seen = Number(await readFile(file, "utf8"));
      await writeFile(file, String(seen + 1));
    }, { waitMillis: 60_000 });
  }`;

const HOLD = `
  import { acquireLock } from "./files.mjs";
  await acquireLock(process.argv[2], { purpose: "plugin install starter" });
  process.stdout.write("held");
  setInterval(() => {}, 1_000_000);`;

describe("[M6] one writer at a time", () => {
  test("[case N-04] eight processes read and write one number, and no turn is lost", async () => {
    await bundleInto(directory);
    const file = path.join(directory, "count");
    await writeFile(file, "0");
    const children = await Promise.all(
      Array.from({ length: 8 }, () => start(directory, "count.mjs", COUNT, [file, "25"])),
    );
    expect(await Promise.all(children.map(ended))).toEqual(Array(8).fill(0));
    expect(await readFile(file, "utf8")).toBe("200");
    expect((await readdir(directory)).toSorted()).toEqual(["count", "count.mjs", "files.mjs"]);
  });

  test("[case N-04] the lock of a holder that was killed is taken over at once, by exactly one of eight", async () => {
    await bundleInto(directory);
    const file = path.join(directory, "count");
    await writeFile(file, "0");
    for (let round = 0; round < 2; round++) {
      const holder = await start(directory, "hold.mjs", HOLD, [file]);
      const end = ended(holder);
      await said(holder, "held");
      const children = await Promise.all(
        Array.from({ length: 8 }, () => start(directory, "count.mjs", COUNT, [file, "5"])),
      );
      holder.kill("SIGKILL");
      await end;
      expect(await Promise.all(children.map(ended))).toEqual(Array(8).fill(0));
      expect(await readFile(file, "utf8")).toBe(String(40 * (round + 1)));
    }
    expect(existsSync(`${file}.lock`)).toBe(false);
    expect(existsSync(`${file}.lock.takeover`)).toBe(false);
  });

  test("[case N-04] within one process it holds as well", async () => {
    const file = path.join(directory, "deep", "state");
    let inside = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        withLock(file, async () => {
          most = Math.max(most, ++inside);
          await new Promise(setImmediate);
          inside--;
          return i;
        }),
      ),
    );
    expect(results).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(most).toBe(1);
  });

  test("a wait that is too long fails, naming holder, purpose and file", async () => {
    const file = path.join(directory, "state");
    const lock = await acquireLock(file, { purpose: "plugin update" });
    const error = await acquireLock(file, { waitMillis: 30 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "FileError", reason: "lock_timeout", file });
    expect(String(error)).toMatch(
      new RegExp(
        `^FileError: ${file} is locked by process ${process.pid} on ${hostname()} \\(plugin update\\) since \\d{4}-.*Z; ` +
          `waited 30 ms\\. Let it finish, or end it and remove ${file}\\.lock\\.$`,
      ),
    );
    lock.release();
    lock.release();
    await withLock(file, () => expect(existsSync(`${file}.lock`)).toBe(true), { waitMillis: 0 });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test("a wait ends when the caller gives up", async () => {
    const file = path.join(directory, "state");
    const lock = await acquireLock(file);
    const controller = new AbortController();
    const waiting = acquireLock(file, { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    lock.release();
    await expect(acquireLock(file, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  test("work that throws lets go of the lock, and its error comes through", async () => {
    const file = path.join(directory, "state");
    await expect(withLock(file, () => Promise.reject(new Error("work failed")))).rejects.toThrow("work failed");
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  const holder = {
    pid: process.pid,
    host: hostname(),
    purpose: "",
    since: "2020-01-01T00:00:00.000Z",
    startTime: null,
    nonce: "n",
  };
  test.each([
    ["a dead process", { ...holder, pid: 4_194_999 }, 0, true],
    ["a process whose number was given away again", { ...holder, startTime: "1" }, 0, true],
    ["a living process, however old the lock", holder, 86_400, false],
    [
      "a process of another machine that was heard of lately",
      { ...holder, host: "other.test", pid: 4_194_999 },
      30,
      false,
    ],
    ["a process of another machine that is silent", { ...holder, host: "other.test", pid: 4_194_999 }, 90, true],
    ["nobody, just now", "", 0, false],
    ["nobody, for a while", "", 20, true],
    ["something else", [1, 2], 20, true],
  ])("a lock held by %s", async (_title, content, ageSeconds, taken) => {
    const file = path.join(directory, "state");
    const lockFile = `${file}.lock`;
    await writeFile(lockFile, content === "" ? "" : JSON.stringify(content));
    const then = Date.now() / 1_000 - ageSeconds;
    await utimes(lockFile, then, then);
    const attempt = acquireLock(file, { waitMillis: 0 });
    if (taken) (await attempt).release();
    else await expect(attempt).rejects.toMatchObject({ reason: "lock_timeout" });
    expect(existsSync(lockFile)).toBe(!taken);
  });

  test("a file system without hard links gets an exclusive create", async () => {
    const lockFile = path.join(directory, "state.lock");
    expect(createWithoutLink(lockFile, JSON.stringify(holder))).toBe(true);
    expect(createWithoutLink(lockFile, JSON.stringify({ ...holder, nonce: "other" }))).toBe(false);
    expect(readHolder(lockFile)).toEqual(holder);
    expect(() => createWithoutLink(path.join(directory, "absent", "x.lock"), "")).toThrow(
      `The lock ${directory}/absent/x.lock could not be taken: it does not exist (ENOENT).`,
    );
  });

  test("a place where nothing can be written is told at once", async () => {
    const plain = path.join(directory, "plain");
    await writeFile(plain, "");
    await expect(acquireLock(path.join(plain, "state"))).rejects.toMatchObject({
      reason: "write_failed",
      message: `${plain}/state could not be locked: it exists already (EEXIST).`,
    });
    expect(() => createLockFile(path.join(plain, "x.lock"), holder)).toThrow(
      `The lock ${plain}/x.lock could not be taken: a part of its path is no directory (ENOTDIR).`,
    );
  });

  test("a takeover that died half way is itself taken over", async () => {
    const file = path.join(directory, "state");
    const dead = JSON.stringify({ ...holder, pid: 4_194_999 });
    await writeFile(`${file}.lock`, dead);
    await writeFile(`${file}.lock.takeover`, dead);
    (await acquireLock(file, { waitMillis: 1_000 })).release();
    expect(await readdir(directory)).toEqual([]);
  });

  test("a lock that was taken away is not removed from its new holder", async () => {
    const file = path.join(directory, "state");
    const lock = await acquireLock(file);
    const stranger = JSON.stringify({ ...holder, nonce: "stranger" });
    await writeFile(`${file}.lock`, stranger);
    lock.release();
    expect(await readFile(`${file}.lock`, "utf8")).toBe(stranger);
  });
});
