/** The conversation over a pipe: one line after another, as over ssh without a terminal. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedServer, streamOf, textStep } from "@reasonix-ts/agent/scripted-server";
import { describe, expect, test } from "vitest";
import { openApp, providerTable, until } from "../support/app.ts";

test("lines are answered in order, questions take the next line, and the end of input is no yes", async () => {
  const app = await openApp();
  const lines = [
    "hello",
    'TOOL bash {"command":"touch made; echo allowed"}',
    "y",
    'TOOL ask {"questions":[{"question":"Which?","options":["red","green"]}]}',
    "2",
    'TOOL bash {"command":"touch never-made; echo never"}',
  ];
  const { code, stdout, stderr } = await app.run([], { input: lines.join("\n") });
  expect([code, stderr]).toEqual([0, ""]);
  const order = [
    "You said: hello",
    "  touch made; echo allowed",
    "bash: allowed",
    "? Which? (a number)",
    "ask: Which?",
    "  touch never-made; echo never",
  ];
  const at = order.map((text) => stdout.indexOf(text));
  expect(at).not.toContain(-1);
  expect(at).toEqual([...at].sort((left, right) => left - right));
  expect(stdout).toContain("bash: bash was refused by the person.");
  expect(await readdir(app.workspace)).toEqual(["made"]);
  expect(stdout).not.toContain("\u001b");
});

test("the commands of one session: model, permissions, cost, undo, compact, new, resume, help, what is unknown", async () => {
  const server = await startScriptedServer({ replies: [streamOf(textStep("from the server"))] });
  try {
    const app = await openApp();
    await app.config(`default_model = "offline/scripted"\n${providerTable("openai", server.url)}`);
    await writeFile(join(app.workspace, "kept.txt"), "old\n");
    const lines = [
      "/cost",
      "/model",
      "/model scripted/scriptd",
      "/permissions approvals auto",
      'TOOL write_file {"path":"kept.txt","content":"new\\n"}',
      "/undo",
      "/undo",
      "/model scripted/scripted",
      "who are you?",
      "/cost",
      "/compact",
      "/new",
      "/resume",
      "/resume 1",
      "/resume 99",
      "/permissions mode whatever",
      "/hepl",
      "/quit",
      "this is not read any more",
    ];
    const { code, stdout } = await app.run([], { input: `${lines.join("\n")}\n` });
    expect(code).toBe(0);
    for (const text of [
      "Nothing was asked of a model yet.",
      "* offline/scripted",
      'There is no model scripted/scriptd. Did you mean "scripted/scripted"?',
      "approvals: auto",
      `put back ${join(app.workspace, "kept.txt")}`,
      "No turn of this session changed a file that could be put back.",
      "From now on scripted/scripted answers.",
      "from the server",
      "3 requests",
      "A new session: ",
      " 1  ",
      "Going on with session ",
      "> who are you?",
      "There is no session 99 of this folder; /resume lists them.",
      "That is no change of permissions. They are:",
      "There is no /hepl. Did you mean /help?",
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain("not read any more");
    expect(await readFile(join(app.workspace, "kept.txt"), "utf8")).toBe("old\n");
    expect((await app.run(["sessions"])).stdout).toContain("TOOL write_file");
  } finally {
    await server.close();
  }
});

test("[R4] a goal is told with every request, kept over a reload and a resume, and cleared", async () => {
  const server = await startScriptedServer({ replies: [streamOf(textStep("on it"))] });
  try {
    const app = await openApp();
    await app.config(providerTable("openai", server.url));
    await app.plugin("steady", { intercepts: ["input.receive"] });
    const one = await app.run([], { input: "/goal\n/goal ship it today\n/reload\n/goal\nbegin\n" });
    expect(one.code).toBe(0);
    expect(one.stdout).toContain("This session has no goal; /goal <text> sets one.");
    expect(one.stdout.split("The goal: ship it today")).toHaveLength(3);
    const two = await app.run(["--continue"], { input: "/goal\n/goal clear\ngo on\n" });
    expect(two.stdout).toContain("The goal: ship it today");
    expect(two.stdout).toContain("This session has no goal");
    expect(server.requests.map(({ body }) => body.includes("ship it today"))).toEqual([true, false]);
  } finally {
    await server.close();
  }
});

describe("what plugins offer", () => {
  test("[M5] [U5] [U6] a prompt becomes a message, an action answers the person and no model hears of it", async () => {
    const app = await openApp();
    const root = join(app.folder, "words");
    await mkdir(join(root, "prompts"), { recursive: true });
    await writeFile(join(root, "prompts/greet.md"), "---\ndescription: Greets\n---\nGreet $1, then say $ARGUMENTS\n");
    const manifest = { apiVersion: "reasonix.io/plugin/v2", name: "words", contributes: { prompts: ["prompts"] } };
    await writeFile(join(root, "reasonix-plugin.json"), JSON.stringify(manifest));
    await app.link(root);
    await app.plugin("acts", { capabilities: ["ui"] }, { init: { uiActions: [{ actionId: "go", label: "Go" }] } });
    const lines = ["/words:greet Ada", '/acts:go k=v "two words"', "/words:gret x", "/extensions"];
    const { code, stdout } = await app.run([], { input: lines.join("\n") });
    expect(code).toBe(0);
    expect(stdout).toContain("You said: Greet Ada, then say Ada");
    expect(stdout).toContain('[acts] go {"k":"v","arg1":"two words"}');
    expect(stdout).toContain('No plugin offers /words:gret. Did you mean "words:greet"?');
    expect(stdout).toMatch(/^acts 1\.0\.0: ready, pid \d+$/m);
  });

  test("[case A-03] [U1] surfaces come as plain lines, cleaned of what a terminal obeys", async () => {
    const app = await openApp();
    const card = {
      surfaceId: "c",
      kind: "card",
      payload: {
        title: "ok\u001b]52;c;aGk=\u0007",
        text: "\u001b[2J\u001b[10Abody",
        fields: [{ key: "k", value: "v" }],
      },
    };
    const waits = join(app.folder, "shown");
    await app.plugin("cards", {}, { publishWhen: [{ file: waits, ...card }] });
    const running = app.start([]);
    await until(() => running.stdout().includes("/help lists"), "the greeting");
    await writeFile(waits, "");
    await until(() => running.stdout().includes("k: v"), "the card");
    running.child.stdin?.end();
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("[cards] ok\n  body\n  k: v\n");
    expect(stdout).not.toContain("\u001b");
  });
});

test("[U2] [U5] a form is filled in field by field, checked, and sent to the extension that shows it", async () => {
  const app = await openApp();
  const fields = [
    { key: "name", kind: "input", label: "Your name", required: true },
    { key: "colour", kind: "select", options: ["red", "green"] },
    { key: "sure", kind: "confirm", default: true },
  ];
  const form = { surfaceId: "f", kind: "form", payload: { title: "About you", fields } };
  await app.plugin("asks", { capabilities: ["ui"] }, { publish: [form] });
  const running = app.start([]);
  await until(() => running.stdout().includes("/fill asks fills it in."), "the form");
  running.child.stdin?.end("/fill\n\nAda\n3\n2\n\n/fill\n");
  const { code, stdout } = await running.ended;
  expect(code).toBe(0);
  for (const text of [
    "? Your name (required)",
    "This one needs an answer",
    "Please give a number from 1 to 2.",
    "[asks] The form was taken.",
    "No extension shows a form.",
  ]) {
    expect(stdout).toContain(text);
  }
  const sent = (await app.frames("asks")).find(({ method }) => method === "extension/ui/submit");
  expect(sent?.params).toMatchObject({ surfaceId: "f", values: { name: "Ada", colour: "green", sure: true } });
});

test("[U2] [case U-06] an extension asks, the next line answers, and the end of input is no answer", async () => {
  const app = await openApp();
  const fields = [{ key: "go", kind: "confirm", label: "Go on?" }];
  const question = { kind: "confirm", payload: { title: "A word", fields } };
  await app.plugin("asks", { capabilities: ["ui"] }, { init: { uiActions: [{ actionId: "ask" }] }, question });
  const { code, stdout } = await app.run([], { input: "/asks:ask\ny\n/asks:ask\n" });
  expect(code).toBe(0);
  expect(stdout).toContain("asks asks: A word\n? Go on? (y or n)\n");
  expect(stdout).toContain('[asks] answered {"cancelled":false,"values":{"go":true}}');
  expect(stdout).toContain('[asks] answered {"cancelled":true}');
});

test("SIGINT between turns ends it with 130, and its sidecars with it; SIGTERM in a turn keeps what came", async () => {
  const server = await startScriptedServer({ replies: [streamOf(textStep("begun"), { kind: "stall" })] });
  try {
    const app = await openApp();
    await app.config(providerTable("openai", server.url));
    await app.plugin("steady", { intercepts: ["input.receive"] });
    const idle = app.start([]);
    await until(() => idle.stdout().includes("/help lists"), "the greeting");
    idle.child.kill("SIGINT");
    expect((await idle.ended).code).toBe(130);
    expect((await app.frames("steady")).map(({ method }) => method).at(-1)).toBe("extension/shutdown");

    const busy = app.start([]);
    busy.child.stdin?.write("go on\n");
    await until(() => busy.stdout().includes("begun"), "the beginning of the answer");
    busy.child.kill("SIGTERM");
    expect((await busy.ended).code).toBe(130);
    const id = JSON.parse((await app.run(["sessions", "--json"])).stdout)[0].id;
    expect((await app.run(["sessions", "export", id])).stdout).toContain("begun");
  } finally {
    await server.close();
  }
});
