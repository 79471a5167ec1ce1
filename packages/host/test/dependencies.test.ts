import { satisfies, valid } from "semver";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createHost, type SidecarSpec } from "../src/index.ts";
import { judgeDependencies, type Member } from "../src/dependencies.ts";
import { ruleOnce, setStage, until, type Stage } from "./support/stage.ts";

type Wants = Member["requires"];
type Has = Member["provides"];

const index = { namespace: "acme", kind: "index", id: "files" };
const other = { namespace: "acme", kind: "index", id: "symbols" };

function member(plugin: string, requires: Wants = [], provides: Has = []): Member {
  return { plugin, version: "1.0.0", source: `/src/${plugin}`, requires, provides };
}

const judge = (...members: Member[]) =>
  judgeDependencies(members, (version, range) => valid(version) !== null && satisfies(version, range));

test.each<[string, Wants[number], Has, string | null]>([
  ["the same name", index, [index], null],
  ["nobody", index, [], "no running plugin provides it"],
  ["another id", index, [other], "no running plugin provides it"],
  ["another kind", { ...index, kind: "tree" }, [index], "no running plugin provides it"],
  ["the exact version", { ...index, version: "1.2.0" }, [{ ...index, version: "1.2.0" }], null],
  [
    "another exact version",
    { ...index, version: "1.2.0" },
    [{ ...index, version: "1.2.1" }],
    'plugin "maker" has version 1.2.1',
  ],
  ["a version in range", { ...index, versionRange: "^1.2" }, [{ ...index, version: "1.9.0" }], null],
  [
    "a version out of range",
    { ...index, versionRange: "^1.2" },
    [{ ...index, version: "2.0.0" }],
    'plugin "maker" has version 2.0.0',
  ],
  ["no version for a range", { ...index, versionRange: "*" }, [index], 'plugin "maker" has version none'],
  [
    "no version that can be read",
    { ...index, versionRange: "*" },
    [{ ...index, version: "new" }],
    'plugin "maker" has version new',
  ],
  ["the same schema", { ...index, schemaHash: "a1" }, [{ ...index, schemaHash: "a1" }], null],
  ["another schema", { ...index, schemaHash: "a1" }, [{ ...index, schemaHash: "b2" }], 'plugin "maker" has b2'],
  ["an optional one that nobody provides", { ...index, optional: true }, [], null],
])("a requirement is judged against %s", (_title, requirement, provides, why) => {
  const { inactive, faults } = judge(member("user", [requirement]), member("maker", [], provides));
  expect(faults).toEqual([]);
  expect([...inactive.keys()]).toEqual(why === null ? [] : ["user"]);
  if (why !== null) expect(inactive.get("user")?.message).toContain(why);
  const reason = requirement.schemaHash === undefined ? "dependency_unsatisfied" : "schema_mismatch";
  if (why !== null) expect(inactive.get("user")?.reason).toBe(reason);
});

test("who requires an inactive plugin is inactive too, however long the line", () => {
  const { inactive } = judge(
    member("c", [other]),
    member("b", [index], [other]),
    member("a", [{ ...index, id: "none" }], [index]),
    member("alone"),
  );
  expect([...inactive.keys()].toSorted()).toEqual(["a", "b", "c"]);
});

test("a circle is told once with its members in order, a plugin that provides for itself is none", () => {
  const { faults, inactive } = judge(
    member("a", [other], [index]),
    member("b", [index], [other]),
    member("self", [{ ...index, id: "own" }], [{ ...index, id: "own" }]),
  );
  expect(inactive.size).toBe(0);
  expect(faults.map(({ kind, members }) => [kind, members.map(({ plugin }) => plugin)])).toEqual([
    ["dependency_cycle", ["a", "b"]],
  ]);
  expect(faults[0]?.message).toContain('"a" → "b" → "a"');
  expect(judge(member("a", [{ ...other, optional: true }], [index]), member("b", [index], [other])).faults).toEqual([]);
});

test("two providers of one thing are told with both sources", () => {
  const { faults } = judge(member("a", [], [index]), member("b", [], [index, index]));
  expect(faults.map(({ kind }) => kind)).toEqual(["duplicate_provider"]);
  expect(faults[0]?.message).toContain('plugin "a" 1.0.0 from /src/a and plugin "b" 1.0.0 from /src/b');
});

describe("in a host", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await setStage();
  });
  afterEach(() => stage.strike());

  const spec = (plugin: string, overrides: Partial<SidecarSpec>, script = {}) =>
    stage.spec(plugin, { intercepts: ["input.receive"], ...overrides }, script);

  test("[K2] an optional plugin without what it requires stays inactive with its reason, and the session goes on", async () => {
    const host = await stage.host([spec("user", { requires: [{ ...index, versionRange: "^2" }] }), spec("fine", {})]);
    const [user, fine] = host.diagnostics().plugins;
    expect(user).toMatchObject({ plugin: "user", state: "inactive", pid: null });
    expect(user?.problem).toContain("it requires acme/index/files ^2");
    expect(fine).toMatchObject({ plugin: "fine", state: "ready" });
    expect(stage.notices.map(({ code, plugin }) => [code, plugin])).toEqual([["dependency_unmet", "user"]]);
    expect(await stage.log("user")).toEqual([]);
  });

  test("[R5] a required plugin without it, a circle and two providers fail the build before anything starts", async () => {
    const unmet = await createHost(stage.options([spec("user", { required: true, requires: [index] })]));
    expect(unmet).toMatchObject({ kind: "failed", failures: [{ reason: "dependency_unsatisfied", plugin: "user" }] });
    const circle = await createHost(
      stage.options([
        spec("a", { requires: [other], provides: [index] }),
        spec("b", { requires: [index], provides: [other] }),
      ]),
    );
    expect(circle).toMatchObject({
      kind: "failed",
      failures: [{ kind: "dependency_cycle", reason: "dependency_cycle", plugins: [{ plugin: "a" }, { plugin: "b" }] }],
    });
    const two = await createHost(stage.options([spec("c", { provides: [index] }), spec("d", { provides: [index] })]));
    expect(two).toMatchObject({ kind: "failed", failures: [{ kind: "duplicate_provider", plugin: "c" }] });
    for (const plugin of ["user", "a", "b", "c", "d"]) expect(await stage.log(plugin)).toEqual([]);
  });

  test("[R6] who requires a plugin that fails to start is stopped again", async () => {
    const broken = spec("maker", { provides: [index] }, { exitAtOnce: 3 });
    const host = await stage.host([broken, spec("user", { requires: [index] })]);
    expect(host.diagnostics().plugins.map(({ plugin, state }) => [plugin, state])).toEqual([
      ["maker", "failed"],
      ["user", "inactive"],
    ]);
    await until(async () => (await stage.log("user")).some((entry) => entry["stdin"] === "end"));
    expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({
      kind: "proceed",
      payload: { text: "x" },
    });
  });
});
