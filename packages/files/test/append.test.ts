import { appendFile, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAppend, readRecords, type ReadReport } from "../src/index.ts";
import { bundleInto, ended, said, scratch, start } from "./bundle.ts";

let directory = "";
let file = "";
beforeEach(async () => {
  directory = await scratch();
  file = path.join(directory, "sessions", "s.jsonl");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function recordsOf(name: string): Promise<{ records: unknown[]; report: ReadReport }> {
  const records: unknown[] = [];
  const report = await readRecords(name, (record) => records.push(record));
  return { records, report };
}

describe("[M7] records are appended as whole lines", () => {
  test("in the order of the calls, many at once", async () => {
    const log = await openAppend(file);
    await Promise.all(Array.from({ length: 500 }, (_, i) => log.append({ i, text: "读\n\u2028" })));
    await log.close();
    const { records, report } = await recordsOf(file);
    expect(records).toEqual(Array.from({ length: 500 }, (_, i) => ({ i, text: "读\n\u2028" })));
    expect(report).toEqual({ records: 500, droppedBytes: 0, faults: [] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("after what is there already", async () => {
    for (let i = 0; i < 3; i++) {
      const log = await openAppend(file, { flush: "each" });
      expect(log.repairedBytes).toBe(0);
      await log.append(i);
      await log.sync();
      await log.close();
    }
    expect(await readFile(file, "utf8")).toBe("0\n1\n2\n");
  });

  test.each([
    ["", 0, ""],
    ['{"a":1}\n', 0, '{"a":1}\n'],
    ['{"a":1}\n{"b"', 4, '{"a":1}\n'],
    ['{"a":1}\n{"b":2}', 7, '{"a":1}\n'],
    ['{"a"', 4, ""],
    [`{"a":1}\n${"x".repeat(200_000)}`, 200_000, '{"a":1}\n'],
  ])("a torn end is removed on opening: %#", async (content, repaired, kept) => {
    const plain = path.join(directory, "x.jsonl");
    await writeFile(plain, content);
    const log = await openAppend(plain);
    expect(log.repairedBytes).toBe(repaired);
    await log.append("next");
    await log.close();
    expect(await readFile(plain, "utf8")).toBe(`${kept}"next"\n`);
  });

  test("not after closing, and not what is no JSON", async () => {
    const log = await openAppend(file);
    const last = log.append(1);
    await expect(log.append(undefined)).rejects.toThrow("must be a JSON value, not undefined");
    const closing = log.close();
    expect(log.close()).toBe(closing);
    await expect(log.append(2)).rejects.toMatchObject({ reason: "closed", file });
    await closing;
    await last;
    expect(await readFile(file, "utf8")).toBe("1\n");
  });

  test("a full disk tears no line: what fails is taken back, and later records follow on", async () => {
    const program = `
      import { openAppend } from "./files.mjs";
      const log = await openAppend(process.argv[2]);
      await log.append("first");
      const failure = await log.append("x".repeat(40_000)).catch((error) => error.message);
      await log.append("last");
      await log.close();
      process.stdout.write(failure);`;
    await bundleInto(directory);
    const plain = path.join(directory, "small.jsonl");
    await writeFile(path.join(directory, "program.mjs"), program);
    const { spawn } = await import("node:child_process");
    // The limit of the shell is counted in blocks of 1,024 bytes; the signal it sends is left out so that EFBIG comes.
    const script = 'trap "" XFSZ; ulimit -f 20; exec "$0" "$1" "$2"';
    const child = spawn("bash", ["-c", script, process.execPath, path.join(directory, "program.mjs"), plain], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (piece: Buffer) => (said += piece.toString()));
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
    expect(said).toBe(`${plain} could not be appended to: it would exceed the largest file size allowed (EFBIG).`);
    expect(await readFile(plain, "utf8")).toBe('"first"\n"last"\n');
  });

  test("[case N-03] a writer that is killed leaves whole lines and at most one torn, which the next one repairs", async () => {
    await bundleInto(directory);
    const program = `
      import { openAppend } from "./files.mjs";
      const log = await openAppend(process.argv[2]);
      process.stdout.write("begun");
      for (let i = 0; ; i++) await log.append({ i, filler: "x".repeat(50_000) });`;
    for (let round = 0; round < 5; round++) {
      const writer = await start(directory, "writer.mjs", program, [file]);
      const end = ended(writer);
      await said(writer, "begun");
      const before = (await stat(file)).size;
      while ((await stat(file)).size < before + 200_000) await new Promise(setImmediate);
      writer.kill("SIGKILL");
      await end;
      const { report } = await recordsOf(file);
      expect(report.faults).toEqual([]);
      const log = await openAppend(file);
      expect(log.repairedBytes).toBe(report.droppedBytes);
      await log.close();
    }
  });
});

describe("[M7] records are read up to the last whole line", () => {
  test("and the bytes that were dropped are told", async () => {
    const plain = path.join(directory, "x.jsonl");
    await writeFile(plain, '{"a":1}\r\n\n"读"\n{"torn');
    expect(await recordsOf(plain)).toEqual({
      records: [{ a: 1 }, "读"],
      report: { records: 2, droppedBytes: 6, faults: [] },
    });
    await truncate(plain, 3);
    expect(await recordsOf(plain)).toEqual({ records: [], report: { records: 0, droppedBytes: 3, faults: [] } });
  });

  test("a broken line in the middle is reported with its number and the rest is read", async () => {
    const plain = path.join(directory, "x.jsonl");
    await writeFile(plain, '1\n{"a"\n\0\0\0\n4\n');
    const { records, report } = await recordsOf(plain);
    expect(records).toEqual([1, 4]);
    expect(report.faults.map((fault) => fault.line)).toEqual([2, 3]);
    expect(report.records).toBe(2);
  });

  test("lines longer than a read, cut anywhere", async () => {
    const plain = path.join(directory, "x.jsonl");
    const long = "读🎉".repeat(200_000);
    await writeFile(plain, `1\n${JSON.stringify(long)}\n`);
    await appendFile(plain, "2\n");
    const { records } = await recordsOf(plain);
    expect(records).toEqual([1, long, 2]);
  });

  test("none when there is no file; an error when there is one that cannot be read", async () => {
    expect(await recordsOf(path.join(directory, "absent"))).toEqual({
      records: [],
      report: { records: 0, droppedBytes: 0, faults: [] },
    });
    await expect(readRecords(directory, () => {})).rejects.toMatchObject({
      reason: "read_failed",
      message: `${directory} could not be read: it is a directory (EISDIR).`,
    });
  });

  test("until the caller gives up, or the visitor fails", async () => {
    const plain = path.join(directory, "x.jsonl");
    await writeFile(plain, "1\n2\n");
    await expect(readRecords(plain, () => {}, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
    const refuse = (): never => {
      throw new Error("not this one");
    };
    await expect(readRecords(plain, refuse)).rejects.toThrow("not this one");
  });
});
