/** Refs lead to models; one that leads nowhere is an unavailable model, never a crash. */
import type { ProviderDescriptor } from "@reasonix-ts/protocol";
import { describe, expect, test } from "vitest";
import { createModels, defaultModelRef } from "../../src/models/registry.ts";
import { decodeProviders } from "../../src/models/settings.ts";
import type { ExtensionLease, ModelRequest } from "../../src/ports.ts";
import { ask, requestOf } from "./collect.ts";

const { providers } = decodeProviders([
  {
    name: "deepseek",
    kind: "openai",
    base_url: "https://api.deepseek.com",
    models: ["deepseek-chat", "deepseek-reasoner"],
    default: "deepseek-reasoner",
    api_key_env: "DEEPSEEK_API_KEY",
    context_window: 128_000,
    prices: { input: 0.5, output: 2, cache_hit: 0.05, currency: "USD" },
    effort: "high",
  },
  { name: "hub", kind: "openai", base_url: "http://127.0.0.1:1/v1", models: ["qwen/qwen3-coder"] },
  { name: "test", kind: "offline" },
]);
const models = createModels({ providers, apiKey: () => undefined, clock: { now: () => 0 } });
const hello = requestOf({ role: "user", content: "hi" });

/** A lease with one model, which answers with the request it got. */
function leaseWith(
  descriptor: ProviderDescriptor,
  seen: ModelRequest[],
  served: { readonly [ref: string]: string } = {},
): ExtensionLease {
  return {
    generation: 1,
    wants: () => false,
    rule: () => Promise.reject(new Error("no point is asked of a model")),
    tools: [],
    callTool: () => Promise.reject(new Error("no tool is called by a model")),
    models: [descriptor],
    async *stream(ref, request) {
      seen.push(request);
      yield [{ type: "text", text: ref }, { type: "done" }];
    },
    providerFor: (ref) => served[ref] ?? null,
    release: () => undefined,
  };
}

const brave: ProviderDescriptor = { ref: "plugin/brave/cloud/big-1", contextWindow: 1_000 };

describe("createModels", () => {
  test("lists what is configured, then offline, then what extensions bring", () => {
    expect(models.list(null).map((model) => model.ref)).toEqual([
      "deepseek/deepseek-chat",
      "deepseek/deepseek-reasoner",
      "hub/qwen/qwen3-coder",
      "test/scripted",
      "offline/scripted",
    ]);
    expect(models.list(leaseWith(brave, [])).at(-1)).toEqual(brave);
  });

  test("[P8] a descriptor carries window, prices and effort, and no credential", () => {
    expect(models.resolve("deepseek/deepseek-chat", null).descriptor).toEqual({
      ref: "deepseek/deepseek-chat",
      model: "deepseek-chat",
      tools: true,
      vision: false,
      efforts: ["minimal", "low", "medium", "high"],
      contextWindow: 128_000,
      inputPerMillion: 0.5,
      outputPerMillion: 2,
      cacheHitPerMillion: 0.05,
      pricingCurrency: "USD",
      defaultEffort: "high",
    });
  });

  test("offline answers under its own name and under a configured one", async () => {
    expect((await ask(models.resolve("offline/scripted", null), hello)).text).toBe("You said: hi");
    expect((await ask(models.resolve("test/scripted", null), hello)).text).toBe("You said: hi");
  });

  test("[P2] a plugin's model streams through the lease, and native blocks stay behind", async () => {
    const seen: ModelRequest[] = [];
    const native = { provider: "claude", blocks: [{ type: "thinking" }] };
    const request = requestOf({ role: "user", content: "hi" }, { role: "assistant", content: "yes", native });
    const model = models.resolve(brave.ref, leaseWith(brave, seen));
    expect((await ask(model, request)).text).toBe("plugin/brave/cloud/big-1");
    expect(model.descriptor).toEqual(brave);
    expect(seen[0]?.messages).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "yes" },
    ]);
  });

  test("[I10] the owner of provider:<ref> that serves the model is asked in its place, under the same ref and prices", async () => {
    const own = { ref: "plugin/brave/deepseek/deepseek-chat", vision: true };
    const seen: ModelRequest[] = [];
    const model = models.resolve("deepseek/deepseek-chat", leaseWith(own, seen, { "deepseek/deepseek-chat": own.ref }));
    expect(model.descriptor).toEqual(models.resolve("deepseek/deepseek-chat", null).descriptor);
    expect((await ask(model, hello)).text).toBe(own.ref);
    const unknown = models.resolve("far/off", leaseWith(own, seen, { "far/off": own.ref }));
    expect(unknown.descriptor).toEqual({ ref: "far/off", vision: true });
    expect(seen).toHaveLength(1);
  });

  test("[P2] a model of an extension without vision reads a note in place of images, as built-in ones do", async () => {
    const request = requestOf({ role: "user", content: "look", images: ["data:image/png;base64,AA=="] });
    const blind: ModelRequest[] = [];
    await ask(models.resolve(brave.ref, leaseWith(brave, blind)), request);
    expect(blind[0]?.messages).toEqual([
      { role: "user", content: "look\n[1 image left out: this model takes no images]" },
    ]);
    const seeing: ModelRequest[] = [];
    await ask(models.resolve(brave.ref, leaseWith({ ...brave, vision: true }, seeing)), request);
    expect(seeing[0]?.messages).toEqual(request.messages);
  });

  test.each([
    [
      "deepseek/deepseek-chta",
      /deepseek\/deepseek-chta.*offers deepseek-chat, deepseek-reasoner\. Did you mean "deepseek-chat"\?/,
    ],
    ["deepsek/deepseek-chat", /no provider of that name.*Did you mean "deepseek\/deepseek-chat"\?.*reasonix models/],
    ["deepseek-chat", /named <provider>\/<model>.*Did you mean "deepseek\/deepseek-chat"\?/],
    ["gone/", /named <provider>\/<model>/],
    ["", /The model "" is not available/],
    ["plugin/brave/cloud/big-1", /no running plugin brave offers it.*reasonix plugin list/],
    ["plugin/", /named plugin\/<plugin>\/<provider>\/<model>/],
  ])("[P11] %j resolves, and its turn fails and names it", async (ref, message) => {
    const model = models.resolve(ref, null);
    expect(model.ref).toBe(ref);
    const { failure, chunks } = await ask(model, hello);
    expect(chunks).toEqual([]);
    expect(failure).toMatchObject({ kind: "unavailable", providerRef: ref });
    expect(failure?.message).toMatch(message);
  });

  test("[P11] a plugin that no longer offers a model is named with what it offers", async () => {
    const { failure } = await ask(models.resolve("plugin/brave/cloud/big-2", leaseWith(brave, [])), hello);
    expect(failure?.message).toMatch(
      /plugin brave offers plugin\/brave\/cloud\/big-1\. Did you mean "plugin\/brave\/cloud\/big-1"\?/,
    );
  });

  test("the default is the first provider's default, else its first model, else offline", () => {
    expect(defaultModelRef(providers)).toBe("deepseek/deepseek-reasoner");
    expect(defaultModelRef(providers.slice(1))).toBe("hub/qwen/qwen3-coder");
    expect(defaultModelRef([])).toBe("offline/scripted");
  });
});
