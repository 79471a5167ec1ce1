/** The referee finds every impostor out, says what was wrong, and finds nothing in an honest sidecar. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { complaints, judgeImpostor } from "./support/judging.ts";

const POINT = "intercept.input.receive";

test("[L3] [L4] [L5] [I2] [I3] [E1] nothing is found in an honest sidecar", async () => {
  const only = [
    "handshake.barrier",
    "frames.joined",
    "methods.unknown-request",
    POINT,
    "events.burst",
    "shutdown.polite",
  ];
  const { verdicts, declaration } = await judgeImpostor("honest", [], { only });
  expect(complaints(verdicts)).toEqual([]);
  expect(verdicts.map(({ outcome }) => outcome.kind)).toEqual(only.map(() => "passed"));
  expect(declaration).toMatchObject({ name: "impostor", protocolVersion: "2" });
});

describe.concurrent("impostors", () => {
  test.each([
    ["silent", [], "handshake.declaration", "nothing came within 1500 ms"],
    ["silent", ["--at=intercept"], POINT, "nothing came within 1500 ms"],
    ["early", [], "handshake.declaration", "host/ui/publish was sent before extension/initialized"],
    ["early", ["--after"], "handshake.barrier", "host/ui/publish was sent before extension/initialized"],
    ["banner", [], "handshake.silence", "a line that is no JSON came on stdout"],
    ["garbling", ["--line=[]", "--and-answer"], POINT, "a batch came on stdout"],
    ["garbling", ["--line=42", "--and-answer"], POINT, "JSON that is no object came on stdout"],
    [
      "garbling",
      ['--line={"jsonrpc":"1.0","id":1,"result":{}}', "--and-answer"],
      POINT,
      '"jsonrpc": "1.0" came on stdout',
    ],
    ["garbling", ['--line={"jsonrpc":"2.0","id":"1","result":{}}'], POINT, '"id": "1" came on stdout'],
    ["flooding", [], POINT, 'stream "nobody-opened-it" was never opened'],
    ["endless", ["--megabytes=9"], POINT, "a frame of at least 8"],
    ["over-declaring", [], "handshake.within-manifest", 'the subscription "permission.decision" is declared'],
    [
      "over-declaring",
      ["--what=replaces", '--value=["context"]'],
      "handshake.within-manifest",
      'the slot "context" is declared',
    ],
    ["wrong-version", ['--version="3"'], "handshake.declaration", 'protocolVersion "3" is not supported'],
    ["wrong-version", ["--version=2"], "handshake.declaration", "protocolVersion 2 is no version but a number"],
    ["unknown-field", [], "handshake.declaration", 'initialize result: unknown field "capabilities" at /capabilities'],
    ["missing-field", [], "handshake.declaration", 'initialize result: missing field "stateSchemaVersion"'],
    ["dying", [], POINT, "the program ended with exit code 3"],
    ["twice", [], POINT, "a second answer came to id 2"],
    ["unknown-reply", [], POINT, "an answer came to id 987654, which was never used"],
    ["bad-decision", [], POINT, 'answer at input.receive: "blok" at /decision'],
    ["bad-decision", ['--result={"decision":"allow"}'], POINT, 'the decision "allow" at input.receive'],
    ["bad-decision", ['--result={"decision":"replace"}'], POINT, "a replacement that is no object"],
    [
      "bad-decision",
      ['--result={"decision":"replace","replacement":{"text":42}}'],
      POINT,
      "replacement at input.receive: 42 at /text",
    ],
    [
      "bad-decision",
      ['--result={"decision":"replace","replacement":{"text":"x","foo":1}}'],
      POINT,
      'unknown field "foo" at /foo',
    ],
    [
      "bad-decision",
      ['--result={"decision":"continue","replacement":{}}'],
      POINT,
      'the decision "continue" beside a replacement',
    ],
    ["forking", [], "shutdown.leaves-nothing", "1 processes that it started still run"],
    ["lingering", [], "shutdown.host-gone", "the process still runs after 5000 ms"],
    ["deaf", [], "frames.largest", "nothing came within 1500 ms"],
    ["half-frame", [], POINT, "the program ended with exit code 0"],
    ["gbk", ["--stdout"], POINT, "bytes that are no UTF-8 came on stdout"],
    ["sized", ["--bytes=8388609"], POINT, "a frame of at least 8388609 bytes came"],
  ])("[T1] [T3] [T4] [L3] [I7] [I8] %s %j is found out by %s", async (name, args, check, what) => {
    const { verdicts } = await judgeImpostor(name, args, {
      only: [check],
      timeout: what.includes("1500 ms") ? 1_500 : null,
    });
    const found = complaints(verdicts);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${check}: `);
    expect(found[0]).toContain(what);
  });

  test.each([
    ["byte-wise", []],
    ["sized", ["--bytes=8388608"]],
    ["chatty", ["--no-lines"]],
  ])("[T1] [T2] [T3] %s %j is lawful", async (name, args) => {
    const { verdicts } = await judgeImpostor(name, args, { only: ["handshake.declaration", POINT] });
    expect(complaints(verdicts)).toEqual([]);
  });
});

test("[T1] CR LF is a warning, not a failure", async () => {
  const { verdicts } = await judgeImpostor("crlf", [], { only: [POINT, "frames.lf"] });
  expect(complaints(verdicts)).toEqual(["warn frames.lf: it ends lines with CR LF"]);
});

test("[T1] half a frame and the end: the half is shown", async () => {
  const { verdicts } = await judgeImpostor("half-frame", [], { only: [POINT] });
  const [verdict] = verdicts;
  expect(verdict?.outcome).toMatchObject({
    kind: "failed",
    finding: { got: 'half a frame: {"jsonrpc":"2.0","id":2,"resu' },
  });
});

test("[P10] a secret of the environment that comes out is told", async () => {
  const { verdicts } = await judgeImpostor("secret-telling", [], { only: [POINT] });
  expect(complaints(verdicts)).toEqual([`FAIL ${POINT}: a secret of the environment came out on stdout`]);
});

describe("streams", () => {
  const models = { plugin: "impostor", capabilities: ["providers"], intercepts: [] };
  test.each([
    [["--order=1,2,3", "--last=3"], []],
    [["--order=2,1,3", "--last=3"], []],
    [["--order=1,3", "--last=3"], ["FAIL provider.stream: chunk 2 is missing"]],
    [["--order=1,2,2,3", "--last=3"], ["FAIL provider.stream: chunk 2 came more than once"]],
    [["--order=1,2,3,4", "--last=3"], ["FAIL provider.stream: chunk 4 is beyond lastSeq 3"]],
    [["--order=1,2,3"], ["FAIL provider.stream: nothing came within 1500 ms"]],
  ])("[P3] [P5] %j gives %j", async (args, wanted) => {
    const timeout = wanted.some((text) => text.includes("1500 ms")) ? 1_500 : null;
    const options = { only: ["provider.stream"], timeout, expectation: models };
    const { verdicts } = await judgeImpostor("stream", args, options);
    expect(complaints(verdicts)).toEqual(wanted);
  });
});

test("the README says of every impostor what a host must do with it", () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
  const rows = [...read("../README.md").matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name);
  const files = readdirSync(new URL("../impostors", import.meta.url)).map((file) => file.replace(/\.mjs$/, ""));
  expect(new Set(rows)).toEqual(new Set(files));
  expect(rows).toHaveLength(files.length);
});
