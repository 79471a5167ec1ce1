import { describe, expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

const RUNTIME = { intercepts: ["input.receive"], capabilities: ["interceptors", "ui"] };

async function painter(): Promise<Home> {
  const home = await openHome();
  await home.plugin("paint", "surfaces.mjs", RUNTIME);
  return home;
}

/** Lines of stderr that tell of extensions. */
function told(stderr: string): readonly string[] {
  return stderr.split("\n").filter((line) => !line.startsWith("This is the offline model"));
}

// oxlint-disable-next-line no-control-regex -- these are what must not come through
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/;

describe("surfaces in `reasonix run`", () => {
  it("[U1] [U3] [case A-03] are plain lines: status, card with its actions, form with its fields, notification", async () => {
    const { reasonix } = await painter();
    const { code, stdout, stderr } = await reasonix(["run", "show"]);
    expect([code, stdout]).toEqual([0, "You said: show\n"]);
    expect(told(stderr)).toEqual([
      "[paint] index: 17 %",
      "[paint] words",
      "  words",
      "  words",
      "  words: words",
      "  /paint:greet  words",
      "[paint] words",
      "  words",
      "  words: select (words, b)",
      "[paint] warning: words",
      "  words",
      "",
    ]);
  });

  it("[U1] [case U-04] [case A-03] a status that changes fifty times is told at first and at last", async () => {
    const { reasonix } = await painter();
    const { stderr } = await reasonix(["run", "flood"]);
    expect(told(stderr)).toEqual([
      "[paint] index: 2 %",
      "[paint] recalled 3 prior sessions",
      "[paint] index: 100 %",
      "",
    ]);
  });

  it("[U4] [U7] are events of their own in stream-json, stamped with plugin, surface, session and generation", async () => {
    const { reasonix } = await painter();
    const { stdout } = await reasonix(["run", "--output-format", "stream-json", "show"]);
    const events: { kind: string; surface?: { [member: string]: unknown } }[] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const surfaces = events.filter(({ kind }) => kind === "extension_surface").map(({ surface }) => surface);
    expect(surfaces.map((surface) => [surface?.["kind"], surface?.["surfaceId"]])).toEqual([
      ["status", "idx"],
      ["card", "card"],
      ["form", "form"],
      ["notification", "note"],
    ]);
    for (const surface of surfaces) expect(surface).toMatchObject({ plugin: "paint", generation: 1 });
    expect(new Set(surfaces.map((surface) => surface?.["sessionId"])).size).toBe(1);
  });

  it("[U2] [case U-06] questions are answered `cancelled` at once, and never with a yes", async () => {
    const { reasonix } = await painter();
    const { code, stdout } = await reasonix(["run", "ask"]);
    expect(code).toBe(0);
    const cancelled = JSON.stringify(Array.from({ length: 4 }, () => ({ cancelled: true })));
    expect(stdout).toBe(`You said: ${cancelled}\n`);
  });

  it.each(["text", "stream-json", "json"])(
    "[X3] [case U-02] hostile text comes through on no road, nor swallows what follows: %s",
    async (format) => {
      const { reasonix } = await painter();
      const { code, stdout, stderr } = await reasonix(["run", "--output-format", format, "hostile"]);
      expect(code).toBe(1);
      // JSON escapes what it holds, so what was escaped is looked at as it will be read.
      const read =
        format === "text"
          ? stdout
          : stdout.replace(/\\u([0-9a-f]{4})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      for (const text of [read, stderr]) {
        expect(text).not.toMatch(CONTROLS);
        expect(text).not.toContain("0123456789abcdef");
      }
      expect(read + stderr).toContain("not ended, and yet seen");
      expect(read + stderr).toMatch(/[Bb]locked by paint: ok/);
    },
  );
});

describe('`reasonix run "/<plugin>:<action> k=v"`', () => {
  it("[U5] runs the action, answers on stdout, and asks no model and opens no session", async () => {
    const { reasonix, log } = await painter();
    const { code, stdout, stderr } = await reasonix(["run", "/paint:greet name=Ada loud", '"two words"']);
    expect([code, stdout]).toEqual([0, 'hello {"name":"Ada","arg1":"loud","arg2":"two words"}\n']);
    expect(stderr).toBe("[paint] index: from an action\n");
    const methods = (await log("paint")).flatMap(({ method }) => (method === undefined ? [] : [method]));
    expect(methods).toEqual([
      "extension/initialize",
      "extension/initialized",
      "extension/ui/action",
      "extension/shutdown",
    ]);
    expect((await reasonix(["sessions", "--json"])).stdout.trim()).toBe("[]");
  });

  it("[U5] [case U-02] one that is not accepted exits with 1, and says why without controls and secrets", async () => {
    const { reasonix } = await painter();
    const { code, stdout, stderr } = await reasonix(["run", "/paint:loud"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).not.toMatch(CONTROLS);
    expect(stderr).not.toContain("0123456789abcdef");
    expect(stderr).toContain("not ended, and yet seen");
  });

  it("[U5] is one object as JSON", async () => {
    const { reasonix } = await painter();
    const { stdout } = await reasonix(["run", "--output-format", "json", "/paint:greet"]);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "done", text: "hello {}", steps: 0, tools: [] });
  });

  it("[U5] one that nobody offers exits with 2 and a near miss", async () => {
    const { reasonix } = await painter();
    const { code, stderr } = await reasonix(["run", "/paint:gret"]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'reasonix: No plugin offers /paint:gret. Did you mean "paint:greet"? `reasonix extensions` tells what is loaded.\n',
    );
  });
});
