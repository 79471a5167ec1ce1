import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeText, readJsonFile, readTextFile, setBrokenAside, writeJsonFile } from "../src/index.ts";
import { scratch } from "./bundle.ts";

let directory = "";
let file = "";
beforeEach(async () => {
  directory = await scratch();
  file = path.join(directory, "m.json");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const MARK = [0xef, 0xbb, 0xbf];

describe("[M2] files that people edit", () => {
  test("[case M-07] one byte order mark is accepted and taken off", () => {
    expect(decodeText(Buffer.from([...MARK, 0x7b, 0x7d]), "f")).toBe("{}");
    expect(decodeText(Buffer.from("{}"), "f")).toBe("{}");
    expect(decodeText(Buffer.from(MARK), "f")).toBe("");
    expect(decodeText(Buffer.from(""), "f")).toBe("");
    expect(decodeText(Buffer.from("a\ufeffb"), "f")).toBe("a\ufeffb");
  });

  test.each([
    ["utf16", Buffer.from("\ufeff{}", "utf16le"), "f is encoded as UTF-16. Save it as UTF-8."],
    ["utf16", Buffer.from("{}", "utf16le"), "f is encoded as UTF-16. Save it as UTF-8."],
    ["utf16", Buffer.from("\ufeff{}", "utf16le").swap16(), "f is encoded as UTF-16. Save it as UTF-8."],
    [
      "two_byte_order_marks",
      Buffer.from([...MARK, ...MARK, 0x7b]),
      "f begins with two byte order marks. Save it as UTF-8 without one.",
    ],
    ["not_utf8", Buffer.from([0x22, 0xb2, 0xe2, 0x22]), "f is not valid UTF-8. Save it as UTF-8."],
  ])("[case M-07] %s is told apart", (reason, bytes, message) => {
    const attempt = (): string => decodeText(bytes, "f");
    expect(attempt).toThrow(expect.objectContaining({ name: "FileError", reason, file: "f", message }));
  });

  test("[X1] a pipe, which would never begin, is refused with what to do", async () => {
    execFileSync("mkfifo", [file]);
    await expect(readTextFile(file)).rejects.toMatchObject({
      reason: "unsupported_entry",
      message: `${file} is no regular file. Put a text file in its place.`,
    });
  });

  test("a file that cannot be read says why", async () => {
    await expect(readTextFile(file)).rejects.toMatchObject({
      reason: "read_failed",
      message: `${file} could not be read: it does not exist (ENOENT).`,
    });
  });
});

describe("[M6] JSON on disk", () => {
  test("is written readable and read back, with a mark as well", async () => {
    await writeJsonFile(file, { version: 1, plugins: [] }, { mode: 0o600 });
    expect(await readFile(file, "utf8")).toBe('{\n  "version": 1,\n  "plugins": []\n}\n');
    expect(await readJsonFile(file)).toEqual({ state: "valid", value: { version: 1, plugins: [] } });
    await writeFile(file, Buffer.from([...MARK, 0x31]));
    expect(await readJsonFile(file)).toEqual({ state: "valid", value: 1 });
  });

  test("may be missing", async () => {
    expect(await readJsonFile(file)).toEqual({ state: "missing" });
  });

  test.each([
    ["", "empty"],
    [" \n", "empty"],
    ['{"a":', "not_json"],
    [Buffer.from("{}", "utf16le"), "utf16"],
    [Buffer.from([0x22, 0xff, 0x22]), "not_utf8"],
  ])(
    "[case N-12] when it is broken it is told, kept aside, and never silently replaced: %j",
    async (content, reason) => {
      await writeFile(file, content);
      const read = await readJsonFile(file);
      expect(read).toMatchObject({ state: "broken", error: { reason, file } });
      expect(await setBrokenAside(file)).toBe(`${file}.broken-1`);
      expect(await setBrokenAside(file)).toBe(`${file}.broken-2`);
      expect(await readFile(file)).toEqual(Buffer.from(content));
      expect(await readFile(`${file}.broken-1`)).toEqual(Buffer.from(content));
      expect((await readdir(directory)).toSorted()).toEqual(["m.json", "m.json.broken-1", "m.json.broken-2"]);
    },
  );

  test("that the system does not let us read is not called broken", async () => {
    await expect(readJsonFile(directory)).rejects.toMatchObject({ reason: "read_failed", file: directory });
  });
});
