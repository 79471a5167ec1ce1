/** Models: the catalogue, and streams from their opening to their end. */
import {
  decode,
  parsePluginRef,
  ProviderCatalogResult,
  problemsText,
  StreamCancelResult,
  StreamOpenResult,
  type Schema,
} from "@reasonix-ts/protocol";
import { show } from "../finding.ts";
import { SAMPLE_REQUEST } from "../play/payloads.ts";
import type { Answer } from "../play/answers.ts";
import { GENERATION, type Play } from "../play/play.ts";
import { judgeStream } from "../play/stream-record.ts";
import type { Arena, Check, Facts } from "./check.ts";

export const providerChecks: readonly Check[] = [
  {
    id: "provider.catalog",
    title: "Its catalogue lists models of its own, in the contract's shape and without credentials",
    level: "must",
    cites: ["P1"],
    unless: withoutModels,
    async run(arena) {
      const play = await arena.ready();
      const answer = await play.call("extension/provider/catalog", {}, arena.within(10_000));
      const { providers } = resultOf(play, answer, ProviderCatalogResult, "a catalogue");
      const { plugin } = arena.facts.expectation;
      const foreign = providers.find(({ ref }) => {
        const own = parsePluginRef(ref);
        return own === null || (plugin !== null && own.plugin !== plugin);
      });
      if (foreign === undefined) return `models: ${providers.length}`;
      const wanted = `plugin/${plugin ?? "<its name>"}/<provider>/<model>`;
      throw play.finding({
        what: `the model "${foreign.ref}" is not below its own name`,
        wanted,
        sent: show(answer.sent),
      });
    },
  },
  {
    id: "provider.stream",
    title: "A stream has chunks numbered from 1 without holes, and an end that names the last",
    level: "must",
    cites: ["P3", "P5"],
    unless: withoutModels,
    async run(arena) {
      const play = await arena.ready();
      for (const ref of arena.facts.providers) await streamOnce(play, arena, ref);
      return `models: ${arena.facts.providers.length}`;
    },
  },
  {
    id: "provider.parallel",
    title: "Two streams at once keep their numbers apart",
    level: "must",
    cites: ["P3"],
    unless: withoutModels,
    async run(arena) {
      const play = await arena.ready();
      const [ref = ""] = arena.facts.providers;
      await Promise.all([streamOnce(play, arena, ref, "left"), streamOnce(play, arena, ref, "right")]);
    },
  },
  {
    id: "provider.cancel",
    title: "It stops producing when a stream is cancelled",
    level: "must",
    cites: ["P7"],
    unless: withoutModels,
    async run(arena) {
      const play = await arena.ready();
      const [ref = ""] = arena.facts.providers;
      await open(play, arena, ref, "cancelled");
      await cancel(play, arena, "cancelled");
      await play.idle(300);
      const before = play.streams.get("cancelled")?.chunks.size ?? 0;
      await play.idle(700);
      const after = play.streams.get("cancelled")?.chunks.size ?? 0;
      if (after > before)
        throw play.finding({
          what: `${after - before} chunks came long after the cancel was answered`,
          wanted: "silence",
        });
    },
  },
  {
    id: "provider.cancel-late",
    title: "It answers the cancel of a stream that has ended or never was",
    level: "should",
    cites: ["P7"],
    unless: withoutModels,
    async run(arena) {
      const play = await arena.ready();
      await cancel(play, arena, "never-opened");
      const [ref = ""] = arena.facts.providers;
      await streamOnce(play, arena, ref, "ended");
      await cancel(play, arena, "ended");
    },
  },
  {
    id: "provider.unknown-model",
    title: "It refuses a model that it does not offer",
    level: "should",
    cites: ["P9"],
    unless: withoutModels,
    async run(arena) {
      const play = await arena.ready();
      const streamId = "no-such-model";
      play.streams.expect(streamId);
      const params = openParams("plugin/conformance/no/such-model", streamId);
      const answer = await play.call("extension/provider/stream/open", params, arena.within(30_000));
      if (answer.kind === "error") return;
      const { accepted } = resultOf(play, answer, StreamOpenResult, "an answer to stream/open");
      if (!accepted) return;
      await play.until(() => play.streams.hasEnded(streamId), arena.within(30_000), "the end of the stream");
      const record = play.streams.get(streamId);
      const failed =
        record?.end?.error !== undefined || [...(record?.chunks.values() ?? [])].some(({ type }) => type === "error");
      if (!failed)
        throw play.finding({
          what: "it streamed an answer for a model that it does not offer",
          wanted: "an error: never another model in its place",
          sent: show(answer.sent),
        });
    },
  },
];

function withoutModels({ providers }: Facts): string | null {
  return providers.length === 0 ? "it declares no provider" : null;
}

async function streamOnce(play: Play, arena: Arena, ref: string, streamId = `stream-${ref}`): Promise<void> {
  if (!(await open(play, arena, ref, streamId))) return;
  const ended = (): boolean => play.streams.get(streamId)?.end !== null;
  await play.until(ended, arena.within(120_000), "extension/provider/stream/end");
  const record = play.streams.get(streamId);
  const [problem] = record === undefined ? [] : judgeStream(record);
  if (problem !== undefined) throw play.finding({ ...problem, got: show(record?.end), sent: `stream/open of ${ref}` });
}

async function open(play: Play, arena: Arena, ref: string, streamId: string): Promise<boolean> {
  play.streams.expect(streamId);
  const answer = await play.call("extension/provider/stream/open", openParams(ref, streamId), arena.within(30_000));
  return resultOf(play, answer, StreamOpenResult, "an answer to stream/open").accepted;
}

async function cancel(play: Play, arena: Arena, streamId: string): Promise<void> {
  const answer = await play.call("extension/provider/stream/cancel", { streamId }, arena.within(5_000));
  resultOf(play, answer, StreamCancelResult, "an answer to stream/cancel");
}

function openParams(providerRef: string, streamId: string): { readonly [member: string]: unknown } {
  return { streamId, providerRef, seqBase: 1, generation: GENERATION, request: SAMPLE_REQUEST };
}

/** The result of an answer, decoded strictly; an error or another shape is a Finding. */
export function resultOf<T>(play: Play, answer: Answer, schema: Schema<T>, wanted: string): T {
  const sent = show(answer.sent);
  if (answer.kind === "error")
    throw play.finding({ what: "an error came", wanted, got: `error ${answer.code}: ${answer.message}`, sent });
  const decoded = decode(schema, structuredClone(answer.result));
  if (decoded.ok) return decoded.value;
  throw play.finding({ what: problemsText("the result", decoded.problems), wanted, got: show(answer.result), sent });
}
