/** `[[providers]]` tables: what is accepted, and every problem of what is not. */
import { describe, expect, test } from "vitest";
import { decodeProviders } from "../../src/models/settings.ts";

describe("decodeProviders", () => {
  test("no table at all is no provider and no problem", () => {
    expect(decodeProviders(undefined)).toEqual({ providers: [], problems: [], broken: [], unknown: [] });
  });

  test("address and key variable of a kind are filled in together, and never a key for another address", () => {
    const tables = [
      { name: "claude", kind: "anthropic", models: ["claude-sonnet-4-5"] },
      { name: "local", kind: "openai", base_url: "http://127.0.0.1:11434/v1", default: "qwen3" },
      { name: "off", kind: "offline" },
    ];
    expect(decodeProviders(tables).providers).toEqual([
      {
        name: "claude",
        kind: "anthropic",
        models: ["claude-sonnet-4-5"],
        base_url: "https://api.anthropic.com",
        api_key_env: "ANTHROPIC_API_KEY",
      },
      { name: "local", kind: "openai", base_url: "http://127.0.0.1:11434/v1", default: "qwen3", models: ["qwen3"] },
      { name: "off", kind: "offline", base_url: "", models: ["scripted"] },
    ]);
  });

  test("all problems come at once, each with its table, and good tables stay usable", () => {
    const { providers, problems } = decodeProviders([
      { name: "a b", kind: "opena", models: "x", prices: { input: -1 }, context_window: 0.5 },
      { name: "good", kind: "openai", base_url: "https://example.test/v1", models: ["m"] },
      { name: "good", kind: "openai", base_url: "ftp://example.test", models: ["m", "m"], default: "n" },
      { name: "plugin", kind: "openai", base_url: "https://user:pw@example.test", models: [] },
      { name: "h", kind: "openai", base_url: "nowhere", models: ["m"], headers: { Host: "x", "a b": "c", d: "é\n" } },
      "text",
    ]);
    expect(providers.map((provider) => provider.name)).toEqual(["good"]);
    expect(problems).toEqual([
      '[[providers]] 1 (a b): "a b" at /name, wanted a name of letters, digits, `.`, `_` and `-`',
      '[[providers]] 1 (a b): "opena" at /kind, wanted one of "anthropic", "offline", "openai"',
      '[[providers]] 1 (a b): "x" at /models, wanted an array',
      "[[providers]] 1 (a b): 0.5 at /context_window, wanted an integer of at least 1",
      "[[providers]] 1 (a b): -1 at /prices/input, wanted a number of at least 0",
      "[[providers]] 3 (good): the name good is taken by an earlier table; names are unique",
      "[[providers]] 3 (good): base_url starts with ftp:, wanted http: or https:",
      "[[providers]] 3 (good): the model m is listed twice",
      "[[providers]] 3 (good): default is n, which models does not list.",
      "[[providers]] 4 (plugin): the name `plugin` is reserved for models that extensions bring; choose another",
      "[[providers]] 4 (plugin): base_url holds a user name or password; put the key into the variable that api_key_env names",
      '[[providers]] 4 (plugin): no models: list the ids to offer, such as models = ["deepseek-chat"]',
      "[[providers]] 5 (h): base_url is no URL, wanted one such as https://api.openai.com/v1",
      "[[providers]] 5 (h): headers: Host is set by the request itself; remove it",
      '[[providers]] 5 (h): headers: "a b" is no header name',
      "[[providers]] 5 (h): headers: the value of d has characters that no header can carry",
      '[[providers]] 6: "text" came, wanted an object',
    ]);
  });

  test("an unknown key is no problem: it is kept and told apart", () => {
    const table = {
      name: "a",
      kind: "openai",
      base_url: "http://h/v1",
      models: ["m"],
      api_key: "x",
      prices: { cachehit: 1 },
    };
    expect(decodeProviders([table])).toMatchObject({
      providers: [{ name: "a" }],
      problems: [],
      unknown: [
        "[[providers]] 1 (a): unknown key `api_key`.",
        '[[providers]] 1 (a): unknown key `prices.cachehit`. Did you mean "cache_hit"?',
      ],
    });
  });

  test("a broken table is told apart, with what it was meant to be", () => {
    const good = { name: "a", kind: "openai", models: ["m"] };
    const wrong = { name: "b", kind: "openai", base_url: "nowhere", models: ["x", "y"], default: "y" };
    const { providers, broken } = decodeProviders([wrong, good, { kind: "openai" }]);
    expect(providers.map(({ name }) => name)).toEqual(["a"]);
    expect(broken).toMatchObject([
      {
        index: 0,
        name: "b",
        model: "y",
        problems: ["base_url is no URL, wanted one such as https://api.openai.com/v1"],
      },
      { index: 2, name: "", model: "" },
    ]);
  });

  test("a table where a list of tables belongs", () => {
    expect(decodeProviders({ name: "a" }).problems).toEqual([
      "`providers` is no list: write each provider as a [[providers]] table with double brackets",
    ]);
  });
});
