/** Impostors on the reference host: where it does as the contract says, and where it differs (docs/reference-differences.md). */
import { describe, expect, test } from "vitest";
import { referenceCommand, runTurn } from "./support/reference-host.ts";

const required = { required: true };

interface Row {
  readonly what: string;
  readonly impostor: string;
  readonly args: readonly string[];
  readonly fate: "goes on" | "is blocked" | "fails";
  readonly said?: RegExp;
}

const AS_WE_DO: readonly Row[] = [
  { what: "declares too much", impostor: "over-declaring", args: [], fate: "fails", said: /"permission\.decision"/ },
  {
    what: "sends before the barrier",
    impostor: "early",
    args: [],
    fate: "fails",
    said: /before extension\/initialized/,
  },
  { what: "declares an unknown field", impostor: "unknown-field", args: [], fate: "fails", said: /initialize result/ },
  {
    what: "denies at input.receive",
    impostor: "bad-decision",
    args: ['--result={"decision":"deny"}'],
    fate: "fails",
    said: /"deny"/,
  },
  { what: "writes byte by byte", impostor: "byte-wise", args: [], fate: "is blocked" },
  { what: "answers twice", impostor: "twice", args: [], fate: "goes on" },
];

const OTHERWISE: readonly Row[] = [
  { what: "prints a banner", impostor: "banner", args: [], fate: "goes on" },
  {
    what: "writes a batch beside its answer",
    impostor: "garbling",
    args: ["--line=[]", "--and-answer"],
    fate: "goes on",
  },
  // That it dies of 512 notifications at once depends on its own pace; the differences page tells it.
  {
    what: "answers with exactly 8 MiB",
    impostor: "sized",
    args: ["--bytes=8388608"],
    fate: "fails",
    said: /8388609 bytes/,
  },
];

if (referenceCommand !== null) {
  const command = referenceCommand;
  describe.concurrent("on the reference host, a required plugin that", () => {
    test.each(AS_WE_DO)("[T1] [L3] [L4] [I8] $what: the turn $fate, as on ours", (row) => judgeTurn(command, row));
    test.each(OTHERWISE)("[T1] [T3] $what: the turn $fate, otherwise than on ours", (row) => judgeTurn(command, row));
  });
}

test("the reference host is there on the platform that it exists for", () => {
  expect(referenceCommand === null).toBe(!(process.platform === "linux" && process.arch === "x64"));
});

async function judgeTurn(command: string, { impostor, args, fate, said }: Row): Promise<void> {
  const turn = await runTurn(command, impostor, args, required);
  expect(turn.code).toBe(fate === "fails" ? 1 : 0);
  expect(turn.asked).toEqual(fate === "goes on" ? ["hello"] : []);
  if (fate === "is blocked") expect(turn.said).toContain("blocked by an extension");
  if (said !== undefined) expect(turn.said).toMatch(said);
}
