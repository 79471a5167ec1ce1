/** ajv judges the printed schema, `decode` the value schema: on any value they must agree. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contractDocument } from "../src/contract-document.ts";
import { decode, decodeTolerant } from "../src/index.ts";
import { mutate, mutation, valid } from "./json-values.ts";
import { namedSchemas } from "./named-schemas.ts";

const document = contractDocument();
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
ajv.addKeyword("x-externalizable");
ajv.addSchema({ $id: document.$id, $defs: document.$defs });

const schemas = [...namedSchemas()];

test("[E3] every named schema is printed, and nothing is printed without one", () => {
  expect(schemas.map(([name]) => name).toSorted()).toEqual(Object.keys(document.$defs).toSorted());
});

test.each(schemas)("[T5] ajv agrees on %s", (name, schema) => {
  const oracle = ajv.getSchema(`${document.$id}#/$defs/${name}`);
  if (oracle === undefined) throw new Error(`ajv has no ${name}`);
  const printed = document.$defs[name] ?? {};
  let refused = 0;
  fc.assert(
    fc.property(valid(printed, document.$defs), fc.array(mutation, { maxLength: 2 }), (good, mutations) => {
      const value = mutations.reduce(mutate, good);
      const verdict = decode(schema, structuredClone(value));
      expect(verdict.ok, JSON.stringify(value)).toBe(oracle(value));
      if (mutations.length === 0) expect(verdict.ok, JSON.stringify(value)).toBe(true);
      if (!verdict.ok) refused++;

      // The reporting pass finds problems exactly where the fast pass refuses.
      for (const refuseUnknown of [true, false]) {
        const fast = schema.check(structuredClone(value), "", { refuseUnknown, problems: null });
        const problems: never[] = [];
        expect(schema.check(structuredClone(value), "", { refuseUnknown, problems })).toBe(fast);
        expect(problems.length === 0).toBe(fast);
      }
      // Tolerance is about unknown members and about nothing else.
      const tolerant = decodeTolerant(schema, structuredClone(value)).ok;
      const onlyUnknown = verdict.ok || verdict.problems.every((problem) => problem.kind === "unknown");
      expect(tolerant).toBe(onlyUnknown);
    }),
    { numRuns: 100 },
  );
  expect(refused).toBeGreaterThan(0);
});
