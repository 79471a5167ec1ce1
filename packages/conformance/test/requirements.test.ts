/** Every promise that is due is cited by a test, and nothing is cited that nobody promised. */
import { expect, test } from "vitest";
import { HOST_CASES } from "../src/cases.ts";
import { CURRENT_MILESTONE, isDue } from "../src/milestones.ts";
import { REQUIREMENTS } from "../src/requirements.ts";
import { citationsIn, citationsOfTree } from "./support/citations.ts";

const cited = citationsOfTree();
const citedIds = new Set(cited.map(({ id }) => id));

test("every id is unique, and all eighty rows are there", () => {
  const ids = REQUIREMENTS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(80);
  expect(ids).toHaveLength(80);
});

test("every requirement that is due is cited by a test", () => {
  const missing = REQUIREMENTS.filter(({ id, milestone }) => isDue(milestone, CURRENT_MILESTONE) && !citedIds.has(id));
  expect(missing.map(({ id, owes, sentence }) => `${id} (${owes}): ${sentence}`)).toEqual([]);
});

test("every cited requirement exists", () => {
  const known = new Set(REQUIREMENTS.map(({ id }) => id));
  const strangers = cited.filter(({ id }) => !id.includes("-") && !known.has(id));
  expect(strangers.map(({ id, file }) => `${id} in ${file}`)).toEqual([]);
});

test("every case that concerns the host is cited by a test", () => {
  const missing = Object.entries(HOST_CASES).filter(([id]) => !citedIds.has(id));
  expect(missing.map(([id, about]) => `${id}: ${about}`)).toEqual([]);
});

test("citations are read off the beginning of titles only", () => {
  const source = [
    'test("[T3] [case T-05] a frame", () => expect("[X9]").toBe(1));',
    'test.each([1])(\n  "[L1] starts [L2] not this",\n);',
    "describe(`[C1] pages`, () => {});",
  ].join("\n");
  expect(citationsIn(source)).toEqual(["T3", "T-05", "L1", "C1"]);
});
