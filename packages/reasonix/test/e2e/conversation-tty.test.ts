/** The conversation at a pseudo-terminal: what a person types and sees. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openApp, until } from "../support/app.ts";
import { KEYS, openScreen } from "../support/screen.ts";

test("[case I-12] a line is answered, up-arrow brings back what was typed, also in the next conversation; Ctrl-D leaves", async () => {
  const app = await openApp();
  const script = { on: { "input.receive": { do: "tag", text: " <recall>" } } };
  await app.plugin("recall", { intercepts: ["input.receive"] }, script);
  const screen = openScreen(app);
  await screen.endsWith(">");
  expect(screen.lines()[0]).toBe(`reasonix 0.0.0, offline/scripted, in ${app.workspace}`.slice(0, 80));
  screen.type(`hello${KEYS.enter}`);
  await screen.shows("You said: hello <recall>");
  await screen.endsWith(">");
  screen.type(KEYS.up);
  await screen.endsWith("> hello");
  screen.type(KEYS.ctrlU);
  await screen.endsWith(">");
  screen.type(KEYS.ctrlD);
  expect(await screen.exited).toBe(0);
  expect(await readFile(join(app.home, "history"), "utf8")).toBe("hello\n");

  const next = openScreen(app, ["--continue"]);
  await next.shows("Going on with session");
  await next.shows("> hello");
  await next.endsWith(">");
  next.type(KEYS.up);
  await next.endsWith("> hello");
});

test("a paste of several lines is one message, and stays one in the history", async () => {
  const app = await openApp();
  const screen = openScreen(app);
  await screen.endsWith(">");
  expect(screen.raw()).toContain("\u001b[?2004h");
  screen.type(KEYS.paste("first line\nsecond \u001b[31mline\n"));
  await screen.endsWith("> first line\u2424second line");
  screen.type(KEYS.enter);
  await screen.shows("You said: first line\nsecond line");
  await screen.endsWith(">");
  screen.type(KEYS.up);
  await screen.endsWith("> first line\u2424second line");
  screen.type(`${KEYS.ctrlU}${KEYS.ctrlD}`);
  expect(await screen.exited).toBe(0);
  expect(screen.raw()).toContain("\u001b[?2004l");
});

test("[U5] [U6] Tab completes an action of an extension, and a long notice breaks at a word", async () => {
  const app = await openApp();
  const script = { init: { uiActions: [{ actionId: "loud", label: "Say it loud" }] } };
  await app.plugin("shout", { capabilities: ["ui"] }, script);
  const screen = openScreen(app, [], { columns: 60 });
  await screen.endsWith(">");
  screen.type("/sho\t");
  await screen.endsWith("> /shout:loud");
  screen.type(`${KEYS.ctrlU}hello${KEYS.enter}`);
  await screen.shows("You said: hello");
  await screen.endsWith(">");
  const hint = screen.lines().findIndex((line) => line.startsWith("This is the offline model"));
  expect(screen.lines().slice(hint, hint + 2)).toEqual([
    "This is the offline model: it repeats you. For a real one:",
    "  reasonix setup",
  ]);
});

test("permissions are asked for at the prompt, whole, and an answer is no message", async () => {
  const app = await openApp();
  const screen = openScreen(app);
  await screen.endsWith(">");
  screen.type(`TOOL bash {"command":"echo ran > out"}${KEYS.enter}`);
  await screen.endsWith("y/s/a/n>");
  expect(screen.lines()).toContain("  echo ran > out");
  screen.type(`perhaps${KEYS.enter}`);
  await screen.shows("Please answer with one of y, s, a, n.");
  screen.type(`n${KEYS.enter}`);
  await screen.shows("bash was refused by the person.");
  await screen.endsWith(">");
  screen.type(`TOOL bash {"command":"touch made; echo ran"}${KEYS.enter}`);
  await screen.endsWith("y/s/a/n>");
  screen.type(`a${KEYS.enter}`);
  await screen.shows("bash: ran");
  await screen.endsWith(">");
  expect(JSON.parse(await readFile(join(app.home, "grants.json"), "utf8")).workspaces).toEqual({
    [app.workspace]: ["bash(touch:*)", "bash(echo:*)"],
  });
  screen.type(KEYS.up);
  await screen.endsWith('> TOOL bash {"command":"touch made; echo ran"}');
});

test("Ctrl-C stops the turn and keeps what came of it; twice between turns it leaves with 130", async () => {
  const app = await openApp();
  const screen = openScreen(app);
  await screen.endsWith(">");
  screen.type(`REPEAT 5000000 on and on${KEYS.enter}`);
  await screen.shows("on and on\non and on");
  screen.type(KEYS.ctrlC);
  await screen.shows("turn interrupted");
  await screen.endsWith(">");
  screen.type(`begun${KEYS.ctrlC}`);
  await screen.endsWith(">");
  screen.type(KEYS.ctrlC);
  await screen.shows("Ctrl-C again leaves");
  screen.type(KEYS.ctrlC);
  expect(await screen.exited).toBe(130);
  const id = JSON.parse((await app.run(["sessions", "--json"])).stdout)[0].id;
  expect((await app.run(["sessions", "export", id])).stdout).toContain("on and on\non and on");
});

test("[case I-07] [U3] what an extension sends late never lands in the line that is being typed", async () => {
  const app = await openApp();
  const [late, later] = [join(app.folder, "late"), join(app.folder, "later")];
  const note = (surfaceId: string, title: string): object => ({ surfaceId, kind: "notification", payload: { title } });
  await app.plugin(
    "slow",
    {},
    {
      publishWhen: [
        { file: late, ...note("n1", "late \u001b]52;c;aGk=\u0007news") },
        { file: later, ...note("n2", "other news") },
      ],
    },
  );
  const published = async (count: number): Promise<void> =>
    until(async () => {
      const replies = (await app.frames("slow")).filter((frame) => "result" in frame);
      return replies.length >= count;
    }, `${count} answers to a publish`);
  const screen = openScreen(app);
  await screen.endsWith(">");
  screen.type("half a");
  await screen.endsWith("> half a");
  await writeFile(late, "");
  await published(1);
  screen.type(" line");
  await screen.endsWith("> half a line");
  expect(screen.lines().join("\n")).not.toContain("news");
  screen.type(KEYS.enter);
  await screen.shows("[slow] late news");
  await screen.shows("You said: half a line");
  await screen.endsWith(">");
  await writeFile(later, "");
  // With nothing typed it is shown at once, and the prompt stands below it.
  await screen.shows("[slow] other news");
  await screen.endsWith(">");
  expect(screen.raw()).not.toContain("]52;");
});

describe("reload", () => {
  test("[R3] [case R-03] three times during a turn: one is queued, told what it waits for, and done once", async () => {
    const app = await openApp();
    await app.plugin("steady", { intercepts: ["input.receive"] });
    const screen = openScreen(app, ["--approvals", "auto", "--permission-mode", "danger-full-access"]);
    await screen.endsWith(">");
    screen.type(`TOOL bash {"command":"until [ -e go ]; do sleep 0.05; done; echo went"}${KEYS.enter}`);
    await screen.shows("> bash");
    for (let times = 0; times < 3; times++) screen.type(`/reload${KEYS.enter}`);
    await screen.shows("The reload is queued: it waits for the end of the running turn.");
    await until(() => count(screen.lines(), "A reload is queued already") === 2, "two that add none");
    screen.type(`and then this${KEYS.enter}`);
    await screen.shows("That is sent when the turn is over.");
    await writeFile(join(app.workspace, "go"), "");
    await screen.shows("bash: went");
    await screen.shows("Reloaded: generation 2 is live.");
    await screen.shows("You said: and then this");
    await screen.endsWith(">");
    expect(screen.lines().join("\n")).toMatch(/ {2}steady: pid (\d+) -> pid (?!\1)\d+/);
    const starts = (await app.frames("steady")).filter(({ method }) => method === "extension/initialize");
    expect(starts).toHaveLength(2);
  });

  test("[case N-12] a boot that fails opens, refuses turns with the cause, and is mended from inside", async () => {
    const app = await openApp();
    await app.plugin("broken", { required: true, intercepts: ["input.receive"] }, { exit: 9 });
    const screen = openScreen(app, [], { columns: 200 });
    await screen.shows('Plugin "broken"');
    await screen.shows("exit code 9");
    await screen.endsWith(">");
    screen.type(`hello${KEYS.enter}`);
    await until(() => count(screen.lines(), "Nothing is sent to a model meanwhile.") === 2, "the refusal of the turn");
    screen.type(`/reload${KEYS.enter}`);
    await screen.shows("The reload failed; turns are refused until one succeeds.");
    await screen.endsWith(">");
    screen.type(`/extensions disable broken${KEYS.enter}`);
    await screen.shows("disabled broken");
    await screen.endsWith(">");
    screen.type(`/reload${KEYS.enter}`);
    await screen.shows("Reloaded: no extension is installed.");
    await screen.endsWith(">");
    screen.type(`hello${KEYS.enter}`);
    await screen.shows("You said: hello");
  });
});

test("a turn streams on when the window changes, and a key typed meanwhile stands in a line of its own", async () => {
  const app = await openApp();
  const screen = openScreen(app, ["--permission-mode", "danger-full-access", "--approvals", "auto"]);
  await screen.endsWith(">");
  screen.type(`TOOL bash {"command":"until [ -e go ]; do sleep 0.05; done; echo went"}${KEYS.enter}`);
  await screen.shows("> bash");
  screen.resize(60);
  screen.type("typed");
  await screen.endsWith("> typed");
  await writeFile(join(app.workspace, "go"), "");
  screen.type(" ahead");
  await screen.endsWith("> typed ahead");
  screen.type(KEYS.ctrlU);
  await screen.shows("bash: went");
  await screen.endsWith(">");
  expect(count(screen.lines(), "typed")).toBe(0);
});

test("setup asks for the provider and its key, which is never on the screen", async () => {
  const app = await openApp();
  const screen = openScreen(app, ["setup"]);
  await screen.shows("Which provider answers?");
  screen.type(KEYS.enter);
  await screen.shows("DEEPSEEK_API_KEY");
  screen.type("a-key-nobody-may-see");
  await screen.shows("\u2022\u2022\u2022");
  screen.type(KEYS.enter);
  expect(await screen.exited).toBe(0);
  expect(screen.raw()).not.toContain("a-key");
  expect(await readFile(join(app.home, ".env"), "utf8")).toBe("DEEPSEEK_API_KEY=a-key-nobody-may-see\n");
  expect(await readFile(join(app.home, "config.toml"), "utf8")).toContain('default_model = "deepseek/deepseek-chat"');
});

test("setup asks again for what the configuration would not take", async () => {
  const app = await openApp();
  const screen = openScreen(app, ["setup"]);
  await screen.shows("Which provider answers?");
  // Up from the first one is the last: another server.
  screen.type(`${KEYS.up}${KEYS.enter}`);
  await screen.shows("A short name for it");
  screen.type(`my models${KEYS.enter}`);
  await screen.shows("wanted a name of letters");
  screen.type(`${KEYS.ctrlU}mine${KEYS.enter}`);
  await screen.shows("Its base URL");
  screen.type(`localhost${KEYS.enter}`);
  await screen.shows("base_url is no URL");
  expect(await app.homeText()).toBe("");
  screen.type(KEYS.ctrlC);
  expect(await screen.exited).toBe(130);
});

test("in a dumb terminal not one escape sequence is written, and late text waits for the line", async () => {
  const app = await openApp();
  const screen = openScreen(app, [], { term: "dumb" });
  await screen.endsWith(">");
  screen.type(`hello${KEYS.enter}`);
  await screen.shows("You said: hello");
  await screen.endsWith(">");
  screen.type(`TOOL bash {"command":"touch made; echo ran"}${KEYS.enter}`);
  await screen.endsWith("y/s/a/n>");
  screen.type(`y${KEYS.enter}`);
  await screen.shows("bash: ran");
  await screen.endsWith(">");
  screen.type(`begun${KEYS.ctrlC}`);
  await screen.shows("Ctrl-C again leaves");
  await screen.endsWith(">");
  screen.type(KEYS.ctrlC);
  expect(await screen.exited).toBe(130);
  expect(screen.raw()).not.toContain("\u001b");
});

test("no colour is ever written, so that NO_COLOR has nothing to forbid", async () => {
  const screen = openScreen(await openApp());
  await screen.endsWith(">");
  screen.type(`/help${KEYS.enter}`);
  await screen.shows("/permissions");
  await screen.endsWith(">");
  screen.type(`/nope${KEYS.enter}`);
  await screen.shows("There is no /nope.");
  // oxlint-disable-next-line no-control-regex -- select graphic rendition
  expect(screen.raw()).not.toMatch(/\u001b\[[\d;]*m/);
  for (const line of screen.lines()) expect(line.length).toBeLessThanOrEqual(80);
});

function count(lines: readonly string[], text: string): number {
  return lines.join("\n").split(text).length - 1;
}
