/** Content references: read page by page, verified, and sent back by reference where nothing changed. */
import { createHash } from "node:crypto";
import { createPair } from "@reasonix-ts/rpc";
import { expect, test } from "vitest";
import { attach } from "../src/attach.ts";
import { readContent } from "../src/content-reader.ts";
import { describeFailure } from "../src/failure.ts";
import { defineExtension, replace } from "../src/index.ts";
import { testHost } from "../src/testing.ts";

const PAGE = 262_144;

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function fieldOf(bytes: Buffer) {
  return { jsonPointer: "/payload", contentRef: "r1", totalBytes: bytes.length, sha256: sha256(bytes) };
}

/** A host's page, as the contract describes it. */
function pageOf(bytes: Buffer, offset: number, size: number) {
  const end = Math.min(offset + size, bytes.length);
  return {
    contentRef: "r1",
    offset,
    dataBase64: bytes.toString("base64", offset, end),
    ...(end === bytes.length ? {} : { nextOffset: end }),
    totalBytes: bytes.length,
    sha256: sha256(bytes),
    encoding: "utf8",
  };
}

test("[C2] pages of 256 KiB are joined, at most two of them in flight, none asked for twice", async () => {
  const bytes = Buffer.from("é🎉x".repeat(150_000));
  const asked: number[] = [];
  let inFlight = 0;
  let most = 0;
  const text = await readContent(fieldOf(bytes), async (_ref, offset) => {
    asked.push(offset);
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise(setImmediate);
    inFlight -= 1;
    return pageOf(bytes, offset, PAGE);
  });
  expect(text === bytes.toString()).toBe(true);
  expect(asked).toEqual([0, PAGE, 2 * PAGE, 3 * PAGE, 4 * PAGE]);
  expect(most).toBe(2);
});

test("[C2] a host with smaller pages is read as well", async () => {
  const bytes = Buffer.from("x".repeat(1_000_000));
  const text = await readContent(fieldOf(bytes), async (_ref, offset) => pageOf(bytes, offset, 65_536));
  expect(text.length).toBe(1_000_000);
});

test("[C2] an empty object needs no page", async () => {
  expect(await readContent(fieldOf(Buffer.alloc(0)), () => Promise.reject(new Error("asked")))).toBe("");
});

const GOOD = Buffer.from("a".repeat(600_000));
type Page = ReturnType<typeof pageOf>;

function without(page: Page, member: string): object {
  return Object.fromEntries(Object.entries(page).filter(([name]) => name !== member));
}

/** What is done to a page → what the refusal says. */
const BROKEN: readonly (readonly [name: string, change: (page: Page) => object, message: string])[] = [
  ["no progress", (page) => ({ ...page, dataBase64: "", nextOffset: page.offset }), "made no progress at offset 0"],
  ["an offset that does not advance", (page) => ({ ...page, nextOffset: 0 }), "goes on at 0 after a page that ends at"],
  ["a hole", (page) => ({ ...page, nextOffset: 300_000 }), "goes on at 300000 after a page that ends at 262144"],
  ["an early end", (page) => without(page, "nextOffset"), "goes on at 600000 after a page that ends at 262144"],
  ["another object", (page) => ({ ...page, contentRef: "r2" }), "was asked for, r2 came"],
  ["another offset", (page) => ({ ...page, offset: 1 }), "was asked for offset 0, the page at 1 came"],
  ["another size", (page) => ({ ...page, totalBytes: 5 }), "is announced with 600000 bytes, a page says 5"],
  ["another hash", (page) => ({ ...page, sha256: "0".repeat(64) }), "a page says 000000"],
  ["too much", (page) => ({ ...page, dataBase64: GOOD.toString("base64") + "YWFh" }), "has 600000 bytes, pages up to"],
  ["changed bytes", (page) => ({ ...page, dataBase64: page.dataBase64.replace("Y", "Z") }), "has the SHA-256"],
  ["no page", () => ({}), 'missing field "contentRef"'],
];

test.each(BROKEN)("[C2] [case C-05] refuses a page with %s", async (_name, change, message) => {
  const reading = readContent(fieldOf(GOOD), async (_ref, offset) => change(pageOf(GOOD, offset, PAGE)));
  await expect(reading).rejects.toThrow(message);
});

test("[C3] an object over 8 MiB, bytes that are not UTF-8, and a failing read are refused", async () => {
  const never = (): Promise<unknown> => Promise.reject(new Error("expired"));
  await expect(readContent({ ...fieldOf(GOOD), totalBytes: 8_388_609 }, never)).rejects.toThrow(
    "is announced with 8388609 bytes, over the limit of 8388608",
  );
  const bad = Buffer.from([0x22, 0xb2, 0xe2, 0x22]);
  await expect(readContent(fieldOf(bad), async () => pageOf(bad, 0, PAGE))).rejects.toThrow("not UTF-8");
  await expect(readContent(fieldOf(GOOD), never)).rejects.toThrow("expired");
});

test("[C1] [case C-01] a pasted text of 200 KB comes by reference, and the rewritten one goes back whole", async () => {
  const pasted = "line — 读 🎉\n".repeat(14_000);
  const host = await testHost(
    defineExtension({
      name: "acme",
      version: "0.1.0",
      intercept: { "input.receive": (payload) => replace({ ...payload, text: `${payload.text}!` }) },
    }),
  );
  const { decision, replacement } = await host.intercept("input.receive", { text: pasted });
  expect(decision).toBe("replace");
  expect(replacement?.text === `${pasted}!`).toBe(true);
  await host.close();
});

/** A host that keeps one object and counts how often it is read. */
async function storing(bytes: Buffer, fails: boolean) {
  const redact = (text: string): string => text;
  const { left: host, right } = createPair({}, { describeError: describeFailure(redact) });
  attach(
    right,
    { name: "acme", version: "0.1.0", intercept: { "input.receive": (payload) => replace({ ...payload }) } },
    { pluginName: "acme", log: () => {}, redact },
  );
  let reads = 0;
  host.onRequest("host/content/read", (params) => {
    reads += 1;
    if (fails) throw new Error("gone");
    return pageOf(bytes, Number(params["offset"]), PAGE);
  });
  await host.request("extension/initialize", {
    protocolId: "reasonix.extension.v2",
    protocolVersion: "2",
    manifest: {},
    session: { sessionId: "s", workspaceRoot: "/", generation: 1 },
    capabilities: { uiHost: "headless" },
  });
  host.notify("extension/initialized", {});
  const ask = (event: string, externalized: readonly object[]): Promise<unknown> =>
    host.request("extension/intercept", { event, seq: 1, timeoutMillis: 5_000, payload: null, externalized });
  return { host, ask, reads: () => reads };
}

test("[C1] a replacement that changes nothing goes back by the reference that came with the call", async () => {
  const bytes = Buffer.from(JSON.stringify({ text: "x".repeat(100_000) }));
  const { host, ask } = await storing(bytes, false);
  const field = fieldOf(bytes);
  expect(await ask("input.receive", [field])).toEqual({
    decision: "replace",
    replacement: null,
    externalized: [{ ...field, jsonPointer: "/replacement" }],
  });
  host.close();
});

test("[C1] nothing is read where no handler waits for it", async () => {
  const bytes = Buffer.from("{}");
  const { host, ask, reads } = await storing(bytes, false);
  expect(await ask("tool.after", [fieldOf(bytes)])).toEqual({ decision: "continue" });
  expect(reads()).toBe(0);
  host.close();
});

test("[C4] a reference that cannot be read, is no JSON or points elsewhere is an error reply, and the connection lives", async () => {
  const bytes = Buffer.from('{"text":"x"} and more');
  const failing = await storing(bytes, true);
  await expect(failing.ask("input.receive", [fieldOf(bytes)])).rejects.toThrow();
  await expect(failing.ask("input.receive", [{ ...fieldOf(bytes), jsonPointer: "/payload/text" }])).rejects.toThrow(
    "externalized holds /payload/text; this extension reads /payload alone",
  );
  expect(failing.host.reason).toBeUndefined();
  failing.host.close();
  const broken = await storing(bytes, false);
  await expect(broken.ask("input.receive", [fieldOf(bytes)])).rejects.toThrow("content reference r1 holds no JSON");
  broken.host.close();
});
