/** The extension in memory: what leaves, and what comes back. */
import type { Message } from "@reasonix-ts/sdk";
import { testHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { redactor } from "../src/extension.ts";
import { Masks } from "../src/masks.ts";

const KEY = "sk-fixture-0123456789";
const TOKEN = `ghp_${"a1".repeat(18)}`;

const request = (messages: readonly Message[]) => ({ request: { messages, tools: [], maxTokens: 0 } });

test("[I7] [X3] secrets leave masked, in texts and in tool arguments, and come back in answers and calls", async () => {
  const host = await testHost(redactor());
  const { decision, replacement } = await host.intercept(
    "provider.request",
    request([
      { role: "user", content: `use ${KEY} and ${TOKEN}, then ${KEY}` },
      { role: "assistant", tool_calls: [{ id: "1", name: "bash", arguments: `{"command":"login ${TOKEN}"}` }] },
      { role: "tool", tool_call_id: "1", content: `welcome ${KEY}` },
    ]),
  );
  expect(decision).toBe("replace");
  expect(replacement?.request.messages).toEqual([
    { role: "user", content: "use <secret-1> and <secret-2>, then <secret-1>" },
    { role: "assistant", tool_calls: [{ id: "1", name: "bash", arguments: '{"command":"login <secret-2>"}' }] },
    { role: "tool", tool_call_id: "1", content: "welcome <secret-1>" },
  ]);

  const answer = await host.intercept("provider.response", {
    text: "Saved <secret-1>, not <secret-3>.",
    reasoning: "<secret-1>",
    calls: [{ id: "2", name: "bash", arguments: '{"command":"echo <secret-2>"}' }],
  });
  expect(answer.replacement).toEqual({
    text: `Saved ${KEY}, not <secret-3>.`,
    reasoning: "<secret-1>",
    calls: [{ id: "2", name: "bash", arguments: `{"command":"echo ${TOKEN}"}` }],
  });
  expect(host.log).toEqual(["[redactor] masked 2 secrets"]);
  await host.close();
});

test("[I5] what holds no secret passes unchanged, both ways", async () => {
  const host = await testHost(redactor());
  expect(await host.intercept("provider.request", request([{ role: "user", content: "hello" }]))).toEqual({
    decision: "continue",
  });
  expect(await host.intercept("provider.response", { text: "<secret-1>" })).toEqual({ decision: "continue" });
  await host.close();
});

test("[I7] agents that ask at the same time do not mix", async () => {
  const host = await testHost(redactor());
  const ask = (agent: string, content: string) =>
    host.intercept("provider.request", request([{ role: "user", content }]), { meta: { agent } });
  await ask("main", KEY);
  await ask("helper", TOKEN);
  const main = await host.intercept("provider.response", { text: "<secret-1>" }, { meta: { agent: "main" } });
  const helper = await host.intercept("provider.response", { text: "<secret-1>" }, { meta: { agent: "helper" } });
  expect([main.replacement?.text, helper.replacement?.text]).toEqual([KEY, TOKEN]);
  await host.close();
});

test("[K3] a longer request is masked like the shorter one that it begins with", () => {
  const first = `a ${KEY}`;
  const masks = new Masks();
  const longer = new Masks();
  expect([longer.hide(first), longer.hide(`b ${TOKEN} ${KEY}`)]).toEqual([
    masks.hide(first),
    "b <secret-2> <secret-1>",
  ]);
});

test("[L3] manifest and code agree, and nothing leaves when the extension cannot answer", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"));
  const host = await testHost(redactor());
  expect(manifest).toMatchObject({
    name: host.declaration.name,
    version: host.declaration.version,
    runtime: { required: true, intercepts: host.declaration.subscriptions },
  });
  await host.close();
});
