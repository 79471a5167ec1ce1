/** Random turns, reloads and crashes against a model: no turn sees two generations, no call hangs, no process is left. */
import type { Host, Lease, SidecarSpec } from "@reasonix-ts/host";
import fc from "fast-check";
import { expect, test } from "vitest";
import { impostor, isAlive, setStage, until, type Stage } from "./support/stage.ts";

const asked = { intercepts: ["input.receive"], required: true } as const;

/** What should be true of the host. */
interface Model {
  generation: number;
  /** The text that the live generation adds. */
  tag: string;
  crashed: boolean;
  readonly turns: Turn[];
}

interface Turn {
  readonly lease: Lease;
  readonly generation: number;
  readonly tag: string;
  /** Its sidecar, which must outlive every reload that the turn spans. */
  readonly pid: number;
  crashed: boolean;
}

interface Real {
  readonly host: Host;
  readonly seen: Set<number>;
}

type Command = fc.AsyncCommand<Model, Real>;

const good = (tag: string): SidecarSpec => impostor("honest", [`--tag=${tag}`], { ...asked, plugin: "tagger" });

const beginTurn: Command = {
  check: ({ turns }) => turns.length < 4,
  run: async (model, { host }) => {
    const lease = host.lease();
    expect(lease.generation).toBe(model.generation);
    const { generation, tag, crashed } = model;
    model.turns.push({ lease, generation, tag, crashed, pid: livePid(host) });
  },
  toString: () => "begin a turn",
};

const endTurn: Command = {
  check: ({ turns }) => turns.length > 0,
  run: async (model) => {
    const turn = model.turns.shift();
    turn?.lease.release();
    // Harmless when called twice.
    turn?.lease.release();
  },
  toString: () => "end the oldest turn",
};

const callInTurns: Command = {
  check: ({ turns }) => turns.length > 0,
  run: async ({ turns }) => {
    const rulings = await Promise.all(
      turns.map((turn) => turn.lease.rule("input.receive", { text: "x" }, {}).then((ruling) => ({ turn, ruling }))),
    );
    for (const { turn, ruling } of rulings) {
      if (turn.crashed) expect(ruling).toMatchObject({ kind: "failed", plugin: "tagger" });
      else expect(ruling).toMatchObject({ kind: "proceed", payload: { text: `x${turn.tag}` } });
      if (!turn.crashed) expect(isAlive(turn.pid)).toBe(true);
    }
  },
  toString: () => "call in every turn",
};

const reload: Command = {
  check: () => true,
  run: async (model, real) => {
    const tag = String(model.generation + 1);
    const result = await real.host.reload({ specs: [good(tag)] });
    expect(result).toMatchObject({ kind: "done", generation: model.generation + 1 });
    model.generation += 1;
    model.tag = tag;
    model.crashed = false;
    real.seen.add(livePid(real.host));
  },
  toString: () => "reload",
};

const reloadInVain: Command = {
  check: () => true,
  run: async (model, { host }) => {
    const before = livePid(host);
    const bad = impostor("over-declaring", [], asked);
    expect(await host.reload({ specs: [good("never"), bad] })).toMatchObject({ kind: "failed" });
    expect(host.generation).toBe(model.generation);
    expect(livePid(host)).toBe(before);
  },
  toString: () => "reload with a build that fails",
};

const crash: Command = {
  check: ({ crashed }) => !crashed,
  run: async (model, { host }) => {
    const pid = livePid(host);
    process.kill(pid, "SIGKILL");
    await until(() => host.diagnostics().plugins[0]?.state === "gone");
    model.crashed = true;
    for (const turn of model.turns) if (turn.pid === pid) turn.crashed = true;
  },
  toString: () => "kill the live sidecar",
};

test(
  "[R1] [R4] [R5] [R6] [L6] [L8] any course of turns, reloads and crashes keeps to the model",
  { timeout: 120_000 },
  async () => {
    const commands = fc.commands(
      [beginTurn, endTurn, callInTurns, reload, reloadInVain, crash].map((one) => fc.constant(one)),
      {
        maxCommands: 10,
        size: "max",
      },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (course) => {
        const stage = await setStage();
        const seen = new Set<number>();
        try {
          await fc.asyncModelRun(() => setUp(stage, seen), course);
        } finally {
          await stage.strike();
        }
        expect([...seen].filter(isAlive)).toEqual([]);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  },
);

async function setUp(stage: Stage, seen: Set<number>): Promise<{ model: Model; real: Real }> {
  const host = await stage.host([good("1")]);
  seen.add(livePid(host));
  return { model: { generation: 1, tag: "1", crashed: false, turns: [] }, real: { host, seen } };
}

function livePid(host: Host): number {
  return host.diagnostics().plugins[0]?.pid ?? 0;
}
