/** The fault matrix: what becomes of an operation when a plugin goes wrong that is optional, required, or owns the slot. */
import { describe, expect, test } from "vitest";
import { SAMPLES } from "../../src/play/payloads.ts";
import { fastClock, impostor, ROLES, ruleOnce, setStage, type Role, type Stage, until } from "./support/stage.ts";

/** A point with a slot, where nobody guards and a replacement counts. */
const POINT = "context.prepare";

/** `on`: the operation goes on as if the plugin were not there. `boot`: nothing starts. The rest is a failure's reason. */
type Fate = "on" | "blocked" | "boot" | `failed ${string}`;
/** With the boot, or the operation, failing: a process may end before its handshake was judged, or after. */
type Fates = Fate | readonly Fate[];

interface Row {
  readonly fault: string;
  readonly impostor: string;
  readonly args?: readonly string[];
  readonly timeoutMillis?: number;
  /** How many times as fast the host's clock runs, where a long wait is expected. */
  readonly haste?: number;
  readonly fates: { readonly [R in Role]: Fates };
  /** What the text must name, besides the plugin. */
  readonly text?: RegExp;
  /** What a second operation comes to, when the first has passed: by default it goes on. */
  readonly alive?: boolean;
}

const notStarted = {
  optional: "on",
  required: "boot",
  owner: ["failed internal", "failed protocol_error", "failed activation_failed"],
} as const;
const refused = (reason: string) => ({ optional: "on", required: "boot", owner: `failed ${reason}` }) as const;
const fails = (reason: string) =>
  ({ optional: "on", required: `failed ${reason}`, owner: `failed ${reason}` }) as const;
const harmless = { optional: "on", required: "on", owner: "on" } as const;
const blocks = { optional: "blocked", required: "blocked", owner: "blocked" } as const;

const ROWS: readonly Row[] = [
  { fault: "exits before initialize", impostor: "dying", args: ["--at=start"], fates: notStarted, text: /exit code 3/ },
  {
    fault: "exits on initialize",
    impostor: "dying",
    args: ["--at=initialize"],
    fates: notStarted,
    text: /exit code 3/,
  },
  {
    fault: "exits after its declaration",
    impostor: "dying",
    args: ["--at=handshake"],
    fates: { optional: "on", required: ["boot", "failed internal"], owner: "failed internal" },
    text: /exit code 3/,
  },
  {
    fault: "exits on initialized",
    impostor: "dying",
    args: ["--at=initialized"],
    fates: { optional: "on", required: ["boot", "failed internal"], owner: "failed internal" },
    text: /exit code 3/,
  },
  {
    fault: "never answers initialize",
    impostor: "silent",
    haste: 20,
    fates: { optional: "on", required: "boot", owner: "failed activation_failed" },
    text: /30000 ms|30 s/,
  },
  {
    fault: "prints a banner",
    impostor: "banner",
    fates: refused("protocol_error"),
    text: /stdout is the protocol channel/i,
  },
  { fault: "sends a request early", impostor: "early", fates: refused("protocol_error"), text: /initialized|barrier/ },
  {
    fault: "sends a notification early",
    impostor: "early",
    args: ["--what=notification"],
    fates: refused("protocol_error"),
    text: /initialized|barrier/,
  },
  {
    fault: "declares too much",
    impostor: "over-declaring",
    fates: refused("capability_not_declared"),
    text: /permission\.decision.*runtime\.intercepts/,
  },
  {
    fault: "speaks version 3",
    impostor: "wrong-version",
    args: ['--version="3"'],
    fates: refused("unsupported_version"),
    text: /"3".*"2"/,
  },
  {
    fault: "has the version as a number",
    impostor: "wrong-version",
    args: ["--version=2"],
    fates: refused("protocol_error"),
    text: /2.*"2"/,
  },
  { fault: "has no version", impostor: "wrong-version", fates: refused("protocol_error"), text: /protocolVersion/ },
  {
    fault: "declares an unknown field",
    impostor: "unknown-field",
    fates: refused("protocol_error"),
    text: /unknown field "capabilities"/,
  },
  {
    fault: "leaves a field out",
    impostor: "missing-field",
    fates: refused("protocol_error"),
    text: /missing field "stateSchemaVersion"/,
  },
  { fault: "declares byte by byte", impostor: "byte-wise", fates: blocks, alive: true },
  { fault: "ends lines with CR LF", impostor: "crlf", fates: blocks, alive: true },
  { fault: "writes two megabytes to stderr", impostor: "chatty", args: ["--no-lines"], fates: harmless, alive: true },
  {
    fault: "hangs",
    impostor: "silent",
    args: ["--at=intercept"],
    timeoutMillis: 60,
    fates: fails("intercept_timeout"),
    text: /context\.prepare.*60 ms/,
    alive: true,
  },
  { fault: "answers twice", impostor: "twice", fates: harmless, alive: true },
  { fault: "answers what nobody asked", impostor: "unknown-reply", fates: harmless, alive: true },
  {
    fault: "answers with an unknown decision",
    impostor: "bad-decision",
    fates: fails("protocol_error"),
    text: /blok/,
    alive: true,
  },
  {
    fault: "allows where nothing is to be allowed",
    impostor: "bad-decision",
    args: ['--result={"decision":"allow"}'],
    fates: fails("protocol_error"),
    text: /allow/,
    alive: true,
  },
  {
    fault: "replaces with another shape",
    impostor: "bad-decision",
    args: ['--result={"decision":"replace","replacement":{"messages":42}}'],
    fates: fails("protocol_error"),
    text: /\/messages/,
    alive: true,
  },
  {
    fault: "replaces with a field too many",
    impostor: "bad-decision",
    args: ['--result={"decision":"replace","replacement":{"messages":[],"foo":1}}'],
    fates: fails("protocol_error"),
    text: /"foo".*\/foo/,
    alive: true,
  },
  {
    fault: "answers with an error",
    impostor: "secret-telling",
    args: ["--where=error"],
    fates: fails("internal"),
    text: /refused/,
    alive: true,
  },
  { fault: "dies on the call", impostor: "dying", fates: fails("internal"), text: /exit code 3.*out of ideas/s },
  {
    fault: "leaves in the middle of a frame",
    impostor: "half-frame",
    fates: fails("internal"),
    text: /middle of a frame/,
  },
  {
    fault: "writes a garbage line",
    impostor: "garbling",
    args: ["--and-answer"],
    fates: fails("protocol_error"),
    text: /Segmentation fault/,
  },
  {
    fault: "writes a batch",
    impostor: "garbling",
    args: ["--line=[{}]"],
    fates: fails("protocol_error"),
    text: /batch|array/i,
  },
  {
    fault: "writes bytes that are no UTF-8",
    impostor: "gbk",
    args: ["--stdout"],
    fates: fails("protocol_error"),
    text: /UTF-8/,
  },
  {
    fault: "writes a line without an end",
    impostor: "endless",
    args: ["--megabytes=24"],
    fates: fails("frame_too_large"),
    text: /8388608/,
  },
  {
    fault: "answers with 8 MiB minus one byte",
    impostor: "sized",
    args: ["--bytes=8388607"],
    fates: harmless,
    alive: true,
  },
  { fault: "answers with exactly 8 MiB", impostor: "sized", args: ["--bytes=8388608"], fates: harmless, alive: true },
  {
    fault: "answers with 8 MiB plus one byte",
    impostor: "sized",
    args: ["--bytes=8388609"],
    fates: fails("frame_too_large"),
    text: /8388609 bytes.*8388608/,
  },
  { fault: "sends 512 notifications at once", impostor: "flooding", fates: harmless, alive: true },
  {
    fault: "sends 100,000 notifications at once",
    impostor: "flooding",
    args: ["--count=100000"],
    fates: harmless,
    alive: true,
  },
  {
    fault: "stops reading",
    impostor: "deaf",
    timeoutMillis: 60,
    haste: 4,
    fates: fails("intercept_timeout"),
    alive: true,
  },
  { fault: "ignores every request to leave", impostor: "lingering", haste: 4, fates: harmless, alive: true },
  { fault: "leaves a grandchild behind", impostor: "forking", args: ["--detached"], fates: harmless, alive: true },
];

describe.concurrent("a plugin that", () => {
  test.each(ROWS.flatMap((row) => ROLES.map((role) => ({ ...row, role, fate: row.fates[role] }))))(
    "[L6] [L7] [I13] [I15] [K2] $fault ($role): $fate",
    async (row) => {
      const stage = await setStage();
      try {
        await judgeRow(stage, row, row.role, typeof row.fate === "string" ? [row.fate] : row.fate);
      } finally {
        await stage.strike();
      }
    },
  );
});

async function judgeRow(stage: Stage, row: Row, role: Role, wanted: readonly Fate[]): Promise<void> {
  const spec = impostor(row.impostor, row.args ?? [], {
    required: role === "required",
    timeoutMillis: row.timeoutMillis ?? 0,
    ...(role === "owner" ? { replaces: ["context"] } : { intercepts: [POINT] }),
  });
  const boot = await stage.boot([spec], row.haste === undefined ? {} : { clock: fastClock(row.haste) });
  if (boot.kind === "failed") {
    expect(wanted).toContain("boot");
    const [failure] = boot.failures;
    expect(failure).toMatchObject({ kind: "start_failed", plugin: row.impostor });
    if (row.text !== undefined) expect(failure?.message).toMatch(row.text);
    return;
  }
  const { host } = boot;
  const ruling = await ruleOnce(host, POINT, SAMPLES[POINT]);
  expect(wanted).toContain(fateOf(ruling));
  const texts = [...(ruling.kind === "failed" ? [ruling.message] : []), ...stage.notices.map(({ text }) => text)];
  const [fate] = wanted;
  if (row.text !== undefined && fate !== undefined) {
    expect(texts.join("\n")).toMatch(row.text);
    expect(texts.join("\n")).toContain(`lugin "${row.impostor}"`);
  }
  if (ruling.kind === "proceed") expect(ruling.payload).toEqual(SAMPLES[POINT]);
  const state = () => host.diagnostics().plugins[0]?.state ?? "";
  if (row.alive === true) expect(state()).toBe("ready");
  else await until(() => ["gone", "failed"].includes(state()));
  // A fault is told once and stays where it was: the next operation has the same fate or goes on.
  const again = await ruleOnce(host, POINT, SAMPLES[POINT]);
  if (role === "optional" && ruling.kind === "proceed") expect(fateOf(again)).toBe("on");
  if (role !== "optional" && row.alive !== true) expect(again.kind).toBe("failed");
}

function fateOf(ruling: Awaited<ReturnType<typeof ruleOnce>>): Fate {
  switch (ruling.kind) {
    case "proceed":
      return "on";
    case "blocked":
      return "blocked";
    case "failed":
      return `failed ${ruling.reason}`;
  }
}
