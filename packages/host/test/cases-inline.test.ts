/** What always travels inline, however large, and what becomes of it above the limit of a frame; with real sidecars. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProviderRequest } from "@reasonix-ts/protocol";
import { done, end, listen, offering, provider, refOf, text, textOf } from "./support/offers.ts";
import { setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

const saying = (content: string): ProviderRequest => ({
  messages: [{ role: "user", content }],
  tools: [],
  maxTokens: 0,
});

test("[C1] [P3] a request to a model is inline above 64 KiB; above a frame it fails with both sizes, and the sidecar lives", async () => {
  const host = await stage.host([provider(stage, "maker", [text(1, "ok"), done(2), end(2)])]);
  const lease = host.lease();
  const ask = async (request: ProviderRequest) => {
    const said: string[] = [];
    for await (const batch of lease.stream(refOf("maker"), request, {}))
      for (const chunk of batch) if (chunk.type === "text") said.push(chunk.text ?? "");
    return said.join("");
  };
  const large = saying("读".repeat(400_000));
  expect(await ask(large)).toBe("ok");
  await expect(ask(saying("读".repeat(2_800_000)))).rejects.toMatchObject({
    kind: "failed",
    reason: "provider_failed",
    plugin: "maker",
    message: expect.stringMatching(/84\d{5} bytes .*more than a frame holds\. Compact the conversation/),
  });
  expect(textOf(await listen(lease, refOf("maker")))).toBe("ok");
  lease.release();
  const [open, next] = await stage.frames("maker", "extension/provider/stream/open");
  expect(open?.params).not.toHaveProperty("externalized");
  expect(open?.params["request"]).toEqual(large);
  expect(next?.params["streamId"]).toBe("stream-3");
  expect(host.diagnostics().plugins).toMatchObject([{ state: "ready" }]);
});

test("[C1] [case Z-01] arguments of a tool are inline above 64 KiB; above a frame the call is an error with its size", async () => {
  const tool = { name: "word_count", description: "d", inputSchema: { type: "object" }, readOnly: true };
  const spec = offering(
    stage,
    "web",
    { capabilities: ["tools"], tools: [tool] },
    { tools: { word_count: [{ count: true }] } },
  );
  const host = await stage.host([spec]);
  const lease = host.lease();
  const count = (words: string) => lease.callTool("web", "word_count", { text: words }, {});
  expect(await count("word ".repeat(50_000).trimEnd())).toEqual({ content: "50000", isError: false });
  const over = await count("x".repeat(8_388_608));
  expect(over.isError).toBe(true);
  expect(over.content).toMatch(/plugin "web".*8388\d{3} bytes \(8 MiB\), more than a frame holds/);
  expect(await count("a b")).toEqual({ content: "2", isError: false });
  lease.release();
  const frames = await stage.frames("web", "extension/tool/call");
  expect(frames.map(({ params }) => Object.keys(params).toSorted())).toEqual([
    ["arguments", "name", "timeoutMillis"],
    ["arguments", "name", "timeoutMillis"],
  ]);
});
