import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseRules, type Person, type SessionSettings } from "@reasonix-ts/agent";
import { describe, expect, it } from "vitest";
import { openHome } from "./support/command.ts";
import { calls, contents, says, scripted, SCRIPTED } from "./support/models.ts";
import { breakSidecar, writeSidecar } from "./support/sidecar-file.ts";
import { stage, temporaryFolder, until, type PluginOptions, type Stage } from "./support/stage.ts";

const POINTS = ["input.receive", "tool.before", "tool.after", "compaction.prepare"] as const;

interface Linked {
  readonly folder: string;
  readonly file: string;
  readonly plugin: PluginOptions;
}

async function linked(): Promise<Linked> {
  const folder = await temporaryFolder();
  const file = path.join(folder, "sidecar.mjs");
  await writeSidecar(file, { tag: "v1" });
  return { folder, file, plugin: { plugin: "tagger", fixture: file, intercepts: POINTS } };
}

/** What the sidecars noted at points, in order, with the process that did. */
async function noted(set: Stage): Promise<readonly { at: string; tag: string; by: number }[]> {
  return (await set.log("tagger")).flatMap(({ at, tag, by }) =>
    typeof at === "string" && typeof tag === "string" && typeof by === "number" ? [{ at, tag, by }] : [],
  );
}

async function pids(set: Stage): Promise<readonly number[]> {
  return (await set.log("tagger")).flatMap(({ pid }) => (typeof pid === "number" ? [pid] : []));
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process any more.
    return false;
  }
}

const ASKING: SessionSettings["permissions"] = {
  mode: "workspace-write",
  approvals: "ask",
  rules: { allow: [], ask: parseRules(["bash"]).rules, deny: [] },
  addedDirs: [],
  protectedPaths: [],
  network: false,
};

/** A person who does something before saying yes. */
function personWho(meanwhile: () => Promise<void>, answer: "once" | "session" = "once"): Person {
  return {
    present: true,
    ask: async () => ({ kind: "cancelled" }),
    askPermission: async () => {
      await meanwhile();
      return answer;
    },
  };
}

describe("a long session over many reloads", () => {
  it("[R1] [R4] [R6] [R7] [case R-01] [case R-06] goes on with one transcript, one prefix and the code of the day", async () => {
    const { folder, file, plugin } = await linked();
    const models = scripted([
      (request) => says(`answer ${request.messages.filter(({ role }) => role === "user").length}`),
    ]);
    const set = await stage({ model: SCRIPTED, models, plugins: [plugin], folder });
    const { session, runtime } = set;
    await session.setGoal("ship it");
    const replies: object[] = [];
    for (let turn = 1; turn <= 30; turn++) {
      if (turn % 3 === 0) {
        // Every second reload changes the code, the others change nothing.
        if (turn % 2 === 0) await writeSidecar(file, { tag: `v${turn}` });
        const asked = runtime.askReload();
        expect([asked.awaits, asked.wasQueued]).toEqual([null, false]);
        const result = await asked.result;
        expect(result.kind).toBe("done");
        replies.push(...result.plugins);
      }
      expect(await runtime.turn(`turn ${turn}`)).toMatchObject({ outcome: "done", text: `answer ${turn}` });
    }
    expect(runtime.extensions.lease().generation).toBe(11);

    // Each reload started a process anew, told both pids, and let the old one go only after the swap.
    const started = await pids(set);
    expect(started).toHaveLength(11);
    expect(replies).toEqual(
      started.slice(1).map((newPid, index) => ({ name: "tagger", oldPid: started[index], newPid })),
    );
    const order = (await set.log("tagger")).flatMap(({ method }) =>
      method === "extension/initialize" || method === "extension/shutdown" ? [method] : [],
    );
    expect(order.slice(0, 3)).toEqual(["extension/initialize", "extension/initialize", "extension/shutdown"]);
    await until(() => started.slice(0, -1).every((pid) => !lives(pid)));
    expect(lives(started.at(-1) ?? 0)).toBe(true);

    // What was said stays as it was, with the tag of its day, and each request begins with all of the one before.
    const last = models.requests.at(-1);
    expect(contents(last, "user").slice(0, 7)).toEqual([
      "turn 1 [v1]",
      "turn 2 [v1]",
      "turn 3 [v1]",
      "turn 4 [v1]",
      "turn 5 [v1]",
      "turn 6 [v6]",
      "turn 7 [v6]",
    ]);
    expect(contents(last, "user").at(-1)).toBe("turn 30 [v30]");
    expect(contents(last, "system").at(-1)).toContain("ship it");
    for (const [index, request] of models.requests.entries()) {
      const next = models.requests[index + 1];
      if (next === undefined) break;
      // The goal is said last, and is no part of the prefix.
      const said = request.messages.slice(0, -1);
      expect(JSON.stringify(next.messages.slice(0, said.length))).toBe(JSON.stringify(said));
      expect(JSON.stringify(next.tools)).toBe(JSON.stringify(request.tools));
    }
    expect(session.prefix?.changed).toBeNull();
    expect(set.of("notice")).toEqual([]);
  });
});

describe("a reload in the middle of a turn", () => {
  it("[R1] leaves the turn its generation, through its tool calls and its compaction", async () => {
    const { folder, file, plugin } = await linked();
    const much = { command: "seq 1 400" };
    const models = scripted(
      [
        calls("bash", much, "call_1"),
        calls("bash", much, "call_2"),
        says("the summary"),
        calls("bash", much, "call_3"),
        says("done"),
      ],
      { contextWindow: 600 },
    );
    let swapped = false;
    const set: Stage = await stage({
      model: SCRIPTED,
      models,
      plugins: [plugin],
      folder,
      settings: { permissions: ASKING },
      frontend: {
        person: personWho(async () => {
          if (swapped) return;
          swapped = true;
          await writeSidecar(file, { tag: "v2" });
          expect(await set.extensions.reload()).toMatchObject({ kind: "done", generation: 2 });
        }),
      },
    });
    const [first] = await pids(set);
    await set.session.turn("go");
    const seen = await noted(set);
    expect(seen.slice(0, 8).map(({ at }) => at)).toEqual([
      "input.receive",
      "tool.before",
      "tool.after",
      "tool.before",
      "tool.after",
      "compaction.prepare",
      "tool.before",
      "tool.after",
    ]);
    expect(set.of("compaction_done")[0]).toMatchObject({ text: "the summary" });
    expect(new Set(seen.map(({ tag, by }) => `${tag} ${by}`))).toEqual(new Set([`v1 ${first}`]));
    await until(() => !lives(first ?? 0));
    await set.session.turn("and now");
    expect((await noted(set)).at(-1)?.tag).toBe("v2");
  });

  it("[R3] [case R-03] is queued once, however often it is asked for, and runs when the turn is over", async () => {
    const { folder, plugin } = await linked();
    const models = scripted([calls("bash", { command: "echo one" }), says("done")]);
    const asked: unknown[] = [];
    const results: Promise<unknown>[] = [];
    const set: Stage = await stage({
      model: SCRIPTED,
      models,
      plugins: [plugin],
      folder,
      settings: { permissions: ASKING },
      frontend: {
        person: personWho(async () => {
          for (let time = 0; time < 3; time++) {
            const { awaits, wasQueued, result } = set.runtime.askReload();
            asked.push([awaits, wasQueued]);
            results.push(result);
          }
        }, "session"),
      },
    });
    await set.runtime.turn("go");
    expect(asked).toEqual([
      ["the running turn", false],
      ["the running turn", true],
      ["the running turn", true],
    ]);
    for (const result of await Promise.all(results)) expect(result).toMatchObject({ kind: "done", generation: 2 });
    expect(await pids(set)).toHaveLength(2);
    // What was granted for the session is granted still.
    await set.runtime.turn("again");
    expect(asked).toHaveLength(3);
    expect(set.of("tool_result").every(({ isError }) => !isError)).toBe(true);
  });
});

describe("a reload that fails", () => {
  const OTHER: PluginOptions = { plugin: "other", fixture: "owner.mjs", replaces: ["context"] };

  it.each([
    ["a program that does not run", async (file: string) => breakSidecar(file), '"tagger"'],
    [
      "a declaration beyond the manifest",
      async (file: string) => writeSidecar(file, { tag: "v2", declares: { subscriptions: ["context.prepare"] } }),
      "context.prepare",
    ],
  ])("[R5] [case R-02] by %s leaves everything as it is", async (_name, spoil, named) => {
    const { folder, file, plugin } = await linked();
    const models = scripted([says("fine")]);
    const set = await stage({ model: SCRIPTED, models, plugins: [plugin], folder });
    await set.runtime.turn("one");
    const [first] = await pids(set);
    await spoil(file);
    const result = await set.runtime.askReload().result;
    expect(result).toMatchObject({ kind: "failed", generation: 1, plugins: [{ name: "tagger", oldPid: first }] });
    expect(JSON.stringify(result)).toContain(named);
    await set.runtime.turn("two");
    expect(contents(models.requests[1], "user")).toEqual(["one [v1]", "two [v1]"]);
    expect(lives(first ?? 0)).toBe(true);
    await until(async () => (await pids(set)).slice(1).every((pid) => !lives(pid)));
    // Mended, it goes on with the new code.
    await writeSidecar(file, { tag: "v3" });
    expect(await set.runtime.askReload().result).toMatchObject({ kind: "done", generation: 2 });
    await set.runtime.turn("three");
    expect(contents(models.requests[2], "user").at(-1)).toBe("three [v3]");
  });

  it("[R5] [case S-01] by two owners of one slot names both and leaves everything as it is", async () => {
    const { folder, plugin } = await linked();
    const set = await stage({ model: SCRIPTED, models: scripted([says("fine")]), plugins: [plugin], folder });
    set.install([plugin, OTHER, { ...OTHER, plugin: "another" }]);
    const result = await set.runtime.askReload().result;
    expect(result).toMatchObject({ kind: "failed", generation: 1 });
    const message = result.kind === "failed" ? (result.failures[0]?.message ?? "") : "";
    for (const part of ["other", "another", "context"]) expect(message).toContain(part);
    expect(await set.runtime.turn("go")).toMatchObject({ outcome: "done" });
    expect(await pids(set)).toHaveLength(1);
  });
});

describe("what stands in front of requests", () => {
  it("[R7] [K3] [case R-06] is the same after a reload that changes nothing, adds a watcher, or changes a price", async () => {
    const { folder, file, plugin } = await linked();
    const provider = { ...plugin, capabilities: ["interceptors", "providers"] } as const satisfies PluginOptions;
    const priced = (inputPerMillion: number) => ({
      tag: "v1",
      declares: { providers: [{ ref: "plugin/tagger/lab/one", inputPerMillion }] },
    });
    await writeSidecar(file, priced(1));
    const models = scripted([says("fine")]);
    const set = await stage({ model: SCRIPTED, models, plugins: [provider], folder });
    const turn = async (): Promise<void> => {
      expect(await set.runtime.turn("go")).toMatchObject({ outcome: "done" });
    };
    await turn();
    await set.runtime.askReload().result;
    await turn();
    set.install([provider, { plugin: "watcher", fixture: "tools.mjs", intercepts: ["context.prepare", "tool.after"] }]);
    await set.runtime.askReload().result;
    await turn();
    await writeSidecar(file, priced(2));
    await set.runtime.askReload().result;
    await turn();
    const fronts = models.requests.map(({ messages, tools }) => JSON.stringify([messages.slice(0, 2), tools]));
    expect(new Set(fronts).size).toBe(1);
    expect(set.session.prefix?.changed).toBeNull();
    const changes = set.extensions.diagnostics()?.changes.map(({ kind, plugin: by }) => [kind, by]);
    expect(changes).toEqual([["providerChanged", "tagger"]]);
  });
});

describe("extensions that come and go", () => {
  it("[R4] the first one that is installed, and the last one that is removed, in one session", async () => {
    const { folder, plugin } = await linked();
    const models = scripted([says("fine")]);
    const set = await stage({ model: SCRIPTED, models, plugins: [], folder });
    await set.runtime.turn("one");
    set.install([plugin]);
    expect(await set.runtime.askReload().result).toMatchObject({ kind: "done", generation: 1 });
    await set.runtime.turn("two");
    set.install([]);
    expect(await set.runtime.askReload().result).toMatchObject({ kind: "done" });
    await set.runtime.turn("three");
    expect(contents(models.requests[2], "user")).toEqual(["one", "two [v1]", "three"]);
    await until(async () => (await pids(set)).every((pid) => !lives(pid)));
  });
});

describe("`reasonix run`", () => {
  it("[case R-01] sees what changed in a linked plugin at its next start", async () => {
    const { reasonix, plugin } = await openHome();
    const root = await plugin("linked", "owner.mjs", { replaces: ["provider_response"] });
    expect((await reasonix(["run", "hello"])).stdout).toContain("YOU SAID: HELLO");
    const sidecar = path.join(root, "sidecar.mjs");
    await writeFile(sidecar, (await readFile(sidecar, "utf8")).replace("toUpperCase", "toLowerCase"));
    const { code, stdout } = await reasonix(["run", "Hello"]);
    expect(code).toBe(0);
    expect(stdout).toContain("you said: hello");
  });
});
