/** State in a file: whole at every moment, and there again after a reload. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stateFile, type StateFile } from "../src/index.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sdk-state-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Counter {
  readonly count: number;
}

function counter(): StateFile<Counter> {
  return stateFile({
    directory: join(folder, "deep", "er"),
    initial: { count: 0 },
    parse: (value) => {
      if (typeof value === "object" && value !== null && "count" in value && typeof value.count === "number")
        return { count: value.count };
      throw new Error("no count");
    },
  });
}

test("[G1] without a file there is the initial state; what was written is there for the next process", async () => {
  const state = counter();
  expect(await state.read()).toEqual({ count: 0 });
  await state.write({ count: 4 });
  expect(await counter().read()).toEqual({ count: 4 });
  expect(await readFile(state.path, "utf8")).toBe('{\n  "count": 4\n}\n');
  expect((await stat(state.path)).mode & 0o777).toBe(0o600);
});

test("[G1] updates run one after another and leave no draft behind", async () => {
  const state = counter();
  await Promise.all(Array.from({ length: 25 }, () => state.update(({ count }) => ({ count: count + 1 }))));
  expect(await state.read()).toEqual({ count: 25 });
  expect(await readdir(join(folder, "deep", "er"))).toEqual(["state.json"]);
});

test("[G1] a file that is broken or of another shape is named and stays as it is", async () => {
  const state = counter();
  await state.write({ count: 1 });
  await writeFile(state.path, '{"counter":1}');
  await expect(state.read()).rejects.toThrow(`the state in ${state.path} is not of the shape that is wanted`);
  await expect(state.update((old) => old)).rejects.toThrow("mend or remove the file");
  expect(await readFile(state.path, "utf8")).toBe('{"counter":1}');
  await state.write({ count: 2 });
  expect(await state.read()).toEqual({ count: 2 });
});

test("[G1] a folder that cannot be made is named", async () => {
  await writeFile(join(folder, "deep"), "a file");
  await expect(counter().write({ count: 1 })).rejects.toThrow(`cannot write the state to ${join(folder, "deep")}`);
});
