/** Vectors over our host: streams in any order of arrival, and content pages that a sidecar asks for. */
import { createHost, mintStartPermission } from "@reasonix-ts/host";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SAMPLE_REQUEST } from "../../src/play/payloads.ts";
import { readVectors } from "../support/vectors.ts";
import { impostor, ruleOnce, setStage, type Stage } from "./support/stage.ts";

const { content, streams } = readVectors();

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
});
afterEach(() => stage.strike());

test.each(streams.vectors)(
  "[P3] [P4] [case P-01] [case P-02] a stream $name: $arrivals with lastSeq $lastSeq",
  async (vector) => {
    const args = [`--order=${vector.arrivals.join(",")}`, `--last=${vector.lastSeq}`];
    const host = await stage.host([impostor("stream", args, { capabilities: ["providers"] })]);
    const lease = host.lease();
    let text = "";
    let failure: unknown = null;
    try {
      for await (const chunks of lease.stream("plugin/stream/chat/large", SAMPLE_REQUEST, {}))
        for (const chunk of chunks) text += chunk.text ?? "";
    } catch (error) {
      failure = error;
    }
    lease.release();
    expect(text).toBe(vector.text);
    if (vector.outcome === "complete") return expect(failure).toBeNull();
    expect(failure).toMatchObject({ message: expect.stringMatching(new RegExp(`\\b${vector.missing}\\b`)) });
  },
);

test.each([512, 100_000])("[P3] [P4] a burst of %i chunks arrives whole and in order", async (count) => {
  const host = await stage.host([impostor("stream", [`--count=${count}`], { capabilities: ["providers"] })]);
  const lease = host.lease();
  let text = "";
  for await (const chunks of lease.stream("plugin/stream/chat/large", SAMPLE_REQUEST, {}))
    for (const chunk of chunks) text += chunk.text ?? "";
  lease.release();
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  expect(text).toBe(alphabet.repeat(Math.ceil(count / 26)).slice(0, count));
});

test("[C2] [C4] [case C-05] wrong offsets and foreign references are told apart, and the sidecar lives", async () => {
  const offsets = content.offsets.map(({ offset }) => offset);
  const args = [`--offsets=${JSON.stringify(offsets)}`];
  const host = await stage.host([impostor("sloppy-reader", args, { intercepts: ["input.receive"], required: true })]);
  const ruling = await ruleOnce(host, "input.receive", { text: "y".repeat(200_000) });
  const wanted = [...content.offsets.map(({ outcome }) => outcome), "content_ref_expired"].join(" ");
  expect(ruling).toEqual({ kind: "blocked", plugin: "sloppy-reader", reason: wanted });
  expect(await ruleOnce(host, "input.receive", { text: "x" })).toMatchObject({ kind: "proceed" });
});

test("[P9] [case P-03] a provider that dies in a stream: what came is kept, the cause is told, and no other model answers", async () => {
  const dying = impostor("stream", ["--order=1,2,x"], { plugin: "dying", capabilities: ["providers"] });
  const other = impostor("stream", ["--order=1", "--last=1"], { plugin: "other", capabilities: ["providers"] });
  const host = await stage.host([dying, other]);
  const lease = host.lease();
  const heard: string[] = [];
  const listening = (async () => {
    for await (const chunks of lease.stream("plugin/dying/chat/large", SAMPLE_REQUEST, {}))
      for (const { type, text } of chunks) heard.push(text ?? type);
  })();
  await expect(listening).rejects.toThrow(/dying.*exit code 9/s);
  expect(heard).toEqual(["A", "B"]);
  lease.release();
});

test("[X1] nothing of this starts without a permission that the host minted", async () => {
  const forged = Object.create(Object.getPrototypeOf(mintStartPermission("x")));
  const options = {
    specs: [impostor("honest", [])],
    permission: forged,
    session: { sessionId: "s", workspaceRoot: stage.folder },
    uiHost: "headless",
    environment: {},
    ports: { notice: () => {}, audit: () => {}, askPerson: null, ui: null },
  } as const;
  await expect(createHost(options)).rejects.toThrow(TypeError);
});
