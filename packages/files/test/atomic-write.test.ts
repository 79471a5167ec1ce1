import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sweepLeftovers, writeFileAtomic } from "../src/index.ts";
import { bundleInto, ended, said, scratch, start } from "./bundle.ts";

let directory = "";
beforeEach(async () => {
  directory = await scratch();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o7777;

describe("[M6] a file is replaced whole", () => {
  test("and created with its directories", async () => {
    const file = path.join(directory, "a", "b", "c.json");
    await writeFileAtomic(file, "one");
    await writeFileAtomic(file, Buffer.from([0, 255]));
    expect(await readFile(file)).toEqual(Buffer.from([0, 255]));
    expect(await readdir(path.dirname(file))).toEqual(["c.json"]);
  });

  test("with the mode asked for, else with the one it had, whatever the umask", async () => {
    const file = path.join(directory, "secret.env");
    await writeFileAtomic(file, "A=1", { mode: 0o600 });
    expect(await modeOf(file)).toBe(0o600);
    await writeFileAtomic(file, "A=2");
    expect(await modeOf(file)).toBe(0o600);
    await chmod(file, 0o666);
    await writeFileAtomic(file, "A=3");
    expect(await modeOf(file)).toBe(0o666);
    const fresh = path.join(directory, "fresh");
    await writeFileAtomic(fresh, "");
    expect(await modeOf(fresh)).toBe(0o666 & ~process.umask());
  });

  test("and a symbolic link to it stays one", async () => {
    const target = path.join(directory, "target");
    const link = path.join(directory, "link");
    await writeFile(target, "old");
    await symlink("target", link);
    await writeFileAtomic(link, "new");
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, "utf8")).toBe("new");
  });

  test("or not at all, with an error that names it and nothing left beside it", async () => {
    const file = path.join(directory, "is-a-directory");
    await mkdir(path.join(file, "x"), { recursive: true });
    await expect(writeFileAtomic(file, "x")).rejects.toMatchObject({
      name: "FileError",
      reason: "write_failed",
      file,
      message: `${file} could not be written: it is a directory (EISDIR). Its content is unchanged.`,
    });
    expect(await readdir(directory)).toEqual(["is-a-directory"]);
    const below = path.join(directory, "plain", "x");
    await writeFile(path.join(directory, "plain"), "");
    await expect(writeFileAtomic(below, "x")).rejects.toMatchObject({ reason: "write_failed", file: below });
  });

  test("[case N-03] also when the writer is killed in the middle of it, ten times over", async () => {
    await bundleInto(directory);
    const file = path.join(directory, "state.json");
    const program = `
      import { writeFileAtomic } from "./files.mjs";
      for (let i = 0; ; i++) {
        await writeFileAtomic(process.argv[2], JSON.stringify({ i, filler: "x".repeat(200_000) }) + "\\n");
        if (i === 0) process.stdout.write("begun");
      }`;
    await writeFile(file, '{"i":-1}\n');
    for (let round = 0; round < 10; round++) {
      const writer = await start(directory, "writer.mjs", program, [file]);
      const end = ended(writer);
      await said(writer, "begun");
      // Not a wait for a condition: the rounds differ so that the kill falls on different steps.
      await new Promise((resolve) => setTimeout(resolve, (round * 7) % 23));
      writer.kill("SIGKILL");
      await end;
      const text = await readFile(file, "utf8");
      expect(text.endsWith("}\n")).toBe(true);
      expect(JSON.parse(text)).toHaveProperty("i");
    }
    await writeFileAtomic(file, "last");
    expect((await readdir(directory)).toSorted()).toEqual(["files.mjs", "state.json", "writer.mjs"]);
  });

  test("and what dead writers left is swept, what living ones write is not", async () => {
    const dead = ".state.json.4194999-1-0123456789ab.tmp";
    const reused = `.state.json.${process.pid}-1-0123456789ab.tmp`;
    const living = `.state.json.${process.pid}-0-0123456789ab.tmp`;
    const other = ".other.4194999-1-0123456789ab.tmp";
    const foreign = ".state.json.swp";
    for (const name of [dead, reused, living, other, foreign]) await writeFile(path.join(directory, name), "");
    await writeFileAtomic(path.join(directory, "state.json"), "x");
    expect(new Set(await readdir(directory))).toEqual(new Set([living, other, foreign, "state.json"]));
    expect(await sweepLeftovers(directory)).toEqual([other]);
  });
});
