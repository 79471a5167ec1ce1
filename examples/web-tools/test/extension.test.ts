/** The extension in memory: what its tools answer, and how they fail. */
import { testHost, type TestHost } from "@reasonix-ts/sdk/testing";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { webTools } from "../src/extension.ts";
import { startPageServer, type PageServer } from "./page-server.ts";

let pages: PageServer;
let host: TestHost;

beforeAll(async () => {
  pages = await startPageServer();
  host = await testHost(webTools([pages.host]));
});

afterAll(async () => {
  await host.close();
  await pages.close();
});

test.each([
  ["one two,  three!", "3 words"],
  ["", "0 words"],
  ["今日は良い天気", "4 words"],
])("word_count of %j is %j", async (text, content) => {
  expect(await host.callTool("word_count", { text })).toEqual({ content, isError: false });
});

test.each([
  ["/", "Hello, world"],
  ["/long", "Early"],
])("fetch_title of %s is %j", async (path, content) => {
  expect(await host.callTool("fetch_title", { url: `http://${pages.host}${path}` })).toEqual({
    content,
    isError: false,
  });
});

test.each([
  ["/bare", "has no title"],
  ["/nowhere", "answered 404"],
  ["/moved", "leads on to http://169.254.169.254/"],
])("fetch_title of %s tells the model that it %s", async (path, why) => {
  const url = `http://${pages.host}${path}`;
  expect(await host.callTool("fetch_title", { url })).toEqual({ content: `${url} ${why}`, isError: true });
});

test.each(["http://127.0.0.1:1/", "http://169.254.169.254/latest", "file:///etc/passwd", "example.com", ""])(
  "[X3] fetch_title does not reach for %j",
  async (url) => {
    const { content, isError } = await host.callTool("fetch_title", { url });
    expect(isError).toBe(true);
    expect(content).toMatch(/is not among the hosts|is neither http nor https|is no address/);
  },
);

test("a page that never ends is given up when the budget is used up", async () => {
  const url = `http://${pages.host}/slow`;
  const { isError } = await host.callTool("fetch_title", { url }, { timeoutMillis: 50 });
  expect(isError).toBe(true);
});

test("[L3] manifest and code agree", async () => {
  const manifest: { name: string; version: string; runtime: { tools: readonly { name: string }[] } } = JSON.parse(
    await readFile(new URL("../reasonix-plugin.json", import.meta.url), "utf8"),
  );
  expect(manifest).toMatchObject({ name: host.declaration.name, version: host.declaration.version });
  expect(manifest.runtime.tools.map(({ name }) => name)).toEqual(host.declaration.tools);
});
