/** /new, /resume, /undo, /compact and /cost. */
import { listSessions, type Spending, type TranscriptEntry } from "@reasonix-ts/agent";
import { undoLines } from "../commands/undo.ts";
import { sessionLine } from "../commands/sessions.ts";
import { pathsOf } from "../paths.ts";
import type { Talk, TalkCommand } from "./talk.ts";

export const newCommand: TalkCommand = {
  name: "new",
  usage: "",
  summary: "end this session and begin a new one",
  whileBusy: false,
  async run(_rest, { runtime, say }) {
    await runtime.session.rotate();
    say([`A new session: ${runtime.session.id}`]);
  },
};

export const resumeCommand: TalkCommand = {
  name: "resume",
  usage: "[id|number]",
  summary: "list sessions, or go on with one",
  whileBusy: false,
  async run(rest, talk) {
    const { runtime, say, world } = talk;
    const { workspaceRoot, id: here } = runtime.session;
    const found = await listSessions(pathsOf(world.env).sessions, { workspaceRoot });
    const others = found.filter(({ id }) => id !== here).slice(0, LISTED);
    if (rest === "") {
      say(
        others.length === 0
          ? ["There is no other session of this folder."]
          : [
              ...others.map((one, index) => `${String(index + 1).padStart(2)}  ${sessionLine(one)}`),
              "/resume <number> goes on with one.",
            ],
      );
      return;
    }
    const chosen = others[Number(rest) - 1]?.id ?? found.find(({ id }) => id === rest)?.id;
    if (chosen === undefined) {
      say([`There is no session ${rest} of this folder; /resume lists them.`]);
      return;
    }
    await runtime.switchTo({ kind: "resume", id: chosen });
    say(resumedLines(runtime.session.id, runtime.session.entries));
  },
};

const LISTED = 20;

export const undoCommand: TalkCommand = {
  name: "undo",
  usage: "",
  summary: "take back the last turn's file changes",
  whileBusy: false,
  async run(_rest, { runtime, say }) {
    say(undoLines(await runtime.session.undo()));
  },
};

export const compactCommand: TalkCommand = {
  name: "compact",
  usage: "[what to heed]",
  summary: "fold the conversation into a summary",
  whileBusy: false,
  // The events of a compaction tell what came of it.
  async run(rest, talk) {
    await talk.stoppable((signal) => talk.runtime.compact(rest, { signal }));
  },
};

export const costCommand: TalkCommand = {
  name: "cost",
  usage: "",
  summary: "what this session used and cost",
  whileBusy: true,
  run: (_rest, talk) => tellCost(talk),
};

function tellCost({ runtime, say }: Talk): void {
  say(costLines(runtime.session.spent));
}

/** What is not known is said to be unknown, and never shown as 0. */
export function costLines(spent: Spending): readonly string[] {
  if (spent.requests === 0) return ["Nothing was asked of a model yet."];
  const cached = spent.cacheHitTokens + spent.cacheMissTokens;
  const hits = cached === 0 ? "" : `, ${Math.round((100 * spent.cacheHitTokens) / cached)} % of it from the cache`;
  const untold = spent.requests - spent.counted;
  return [
    `${spent.requests} ${spent.requests === 1 ? "request" : "requests"}` +
      (untold === 0 ? "" : `, of which ${untold} told no usage`),
    ...(spent.counted === 0
      ? []
      : [
          `${spent.promptTokens} tokens in${hits}`,
          `${spent.completionTokens} tokens out` +
            (spent.reasoningTokens === 0 ? "" : `, ${spent.reasoningTokens} of them reasoning`),
        ]),
    costLine(spent),
  ];
}

function costLine({ cost, currency, priced, requests }: Spending): string {
  if (cost === null) return "cost: unknown, as no price is set for the model";
  const sum = `cost: ${cost.toFixed(4)}${currency === null ? "" : ` ${currency}`}`;
  return priced === requests
    ? sum
    : `${sum} for ${priced} of ${requests} requests; what the others cost is unknown, or in another currency`;
}

/** The last thing that was typed and the end of its answer, so that a person knows where they are. */
export function resumedLines(id: string, entries: readonly TranscriptEntry[]): readonly string[] {
  const messages = entries.filter((entry) => entry.kind === "message");
  const at = messages.findLastIndex(({ message }) => message.role === "user");
  const typed = messages[at];
  const turn = messages.slice(at + 1);
  const answer = turn.findLast(({ message }) => message.role === "assistant" && (message.content ?? "") !== "");
  const count = messages.filter(({ message }) => message.role === "user").length;
  return [
    `Going on with session ${id}, ${count} ${count === 1 ? "turn" : "turns"} long.`,
    ...(typed === undefined ? [] : [`> ${typed.typed ?? typed.message.content ?? ""}`]),
    ...(typed === undefined ? [] : answer === undefined ? ["(interrupted)"] : endOf(answer.message.content ?? "")),
  ];
}

const SHOWN_LINES = 6;

function endOf(text: string): readonly string[] {
  const lines = text.trimEnd().split("\n");
  return lines.length > SHOWN_LINES ? ["…", ...lines.slice(-SHOWN_LINES)] : lines;
}
