/** The extension in memory: the ledger, and the summary with it. */
import type { Message } from "@reasonix-ts/sdk";
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { compactor } from "../src/extension.ts";
import { readLedger } from "../src/ledger.ts";

const call = (id: string, name: string, args: string): Message => ({
  role: "assistant",
  tool_calls: [{ id, name, arguments: args }],
});

const FOLDED: readonly Message[] = [
  { role: "user", content: "add a\n  flag" },
  call("1", "write_file", '{"path":"src/flag.ts","content":"x"}'),
  { role: "tool", tool_call_id: "1", content: "written" },
  call("2", "bash", '{"command":"npm test"}'),
  call("3", "bash", '{"command":"npm test"}'),
  call("4", "edit_file", '{"path":'),
  { role: "assistant", content: "done" },
];

test("[I10] the owner's summary begins with the ledger of what was folded", async () => {
  const host = await testHost(compactor());
  expect(await host.intercept("compaction.prepare", { messages: FOLDED })).toEqual({ decision: "continue" });
  expect(await host.intercept("compaction.complete", { summary: "A flag was added.\n" })).toEqual({
    decision: "replace",
    replacement: {
      summary:
        "## Asked for\n- add a flag\n\n## Files changed\n- src/flag.ts\n\n" +
        "## Commands run\n- npm test\n\n## Summary\nA flag was added.",
    },
  });
  await host.close();
});

test("[I10] agents that fold at the same time do not mix, and a ledger serves one compaction", async () => {
  const host = await testHost(compactor());
  const prepare = (agent: string, content: string) =>
    host.intercept("compaction.prepare", { messages: [{ role: "user", content }] }, { meta: { agent } });
  const complete = (agent: string) => host.intercept("compaction.complete", { summary: "s" }, { meta: { agent } });
  await prepare("main", "first");
  await prepare("helper", "second");
  expect((await complete("main")).replacement?.summary).toBe("## Asked for\n- first\n\n## Summary\ns");
  expect((await complete("helper")).replacement?.summary).toBe("## Asked for\n- second\n\n## Summary\ns");
  expect(await complete("main")).toEqual({ decision: "continue" });
  await host.close();
});

test("a ledger stays short: the last twenty entries, long ones cut", () => {
  const many = Array.from({ length: 25 }, (_, index): Message => ({ role: "user", content: `task ${index}` }));
  const { asked } = readLedger([...many, { role: "user", content: "x".repeat(500) }]);
  expect(asked).toHaveLength(20);
  expect(asked[0]).toBe("task 6");
  expect(asked.at(-1)).toBe(`${"x".repeat(200)}…`);
});

test("[L3] manifest and code agree", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  const host = await testHost(compactor());
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { replaces: host.declaration.replaces },
  });
  await host.close();
});
