import { describe, expect, it } from "vitest";
import {
  manifestProblemText,
  parseManifest,
  upgradedText,
  upgradeManifest,
  upgradeManifestIn,
  upgradeNotesText,
} from "../src/index.ts";
import { temporary, V2, write } from "./support/workbench.ts";

const encode = (value: unknown): Buffer => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));

function problemsOf(value: unknown): readonly string[] {
  const parsed = parseManifest(Buffer.isBuffer(value) ? value : encode(value));
  return parsed.ok ? [] : parsed.problems.map(manifestProblemText);
}

const v2 = (more: object): object => ({ apiVersion: V2, name: "a", ...more });
const runtime = (more: object): object => v2({ runtime: { command: "./run.sh", ...more } });

describe("apiVersion", () => {
  it("[M2] [case M-01] a manifest without it is refused with the lines that make it valid", () => {
    expect(problemsOf({ name: "story", version: "1.0.0", description: "d", skills: "skills" })).toEqual([
      '/apiVersion: nothing, wanted "reasonix.io/plugin/v2". Add these lines: "apiVersion": "reasonix.io/plugin/v2", "contributes": {"skills": "skills"} (in place of the same names outside it). "reasonix plugin upgrade-manifest <dir>" prints the whole text.',
    ]);
  });

  it("[M2] [case M-01] a manifest that brings a runtime alone is asked for no contributions", () => {
    expect(problemsOf({ name: "guard", version: "1.0.0", runtime: { command: "./run.sh" } })).toEqual([
      '/apiVersion: nothing, wanted "reasonix.io/plugin/v2". Add this line: "apiVersion": "reasonix.io/plugin/v2". "reasonix plugin upgrade-manifest <dir>" prints the whole text.',
    ]);
  });

  it("[M2] [case M-01] upgrade-manifest prints the v2 text of an old one", () => {
    const upgrade = upgradeManifest(encode({ name: "story", version: "1.0.0", skills: "skills", compat: 1 }));
    expect(upgrade).toEqual({
      ok: true,
      text: '{\n  "apiVersion": "reasonix.io/plugin/v2",\n  "name": "story",\n  "version": "1.0.0",\n  "contributes": {\n    "skills": [\n      "skills"\n    ]\n  }\n}\n',
      changes: ["apiVersion added", "skills moved into contributes", "compat left out: v2 has no such field"],
      remaining: [],
    });
  });

  it("[M2] [case M-01] upgrade-manifest tells what only the author can solve", async () => {
    const folder = write(temporary(), {
      "reasonix-plugin.json": { apiVersion: "reasonix.io/plugin/v1", name: "x y", runtime: { command: "node" } },
    });
    const upgrade = await upgradeManifestIn(folder);
    expect(upgradedText(upgrade)).toContain('"apiVersion": "reasonix.io/plugin/v2"');
    expect(upgradeNotesText(upgrade)).toMatch(
      /^changed: apiVersion "reasonix\.io\/plugin\/v1" replaced\nstill to be solved: \/name: "x y", wanted a name/,
    );
    const nothing = await upgradeManifestIn(temporary());
    expect(upgradeNotesText(nothing)).toMatch(/^reasonix-plugin\.json does not exist \(in \//);
    expect(upgradedText(nothing)).toBe("");
  });

  it.each([
    ["reasonix.io/plugin/v1", '"reasonix.io/plugin/v1"'],
    ["reasonix.io/plugin/v2.1", '"reasonix.io/plugin/v2.1"'],
    ["reasonix.io/plugin/v2 ", '"reasonix.io/plugin/v2 "'],
    ["reasonix.io/plugin/V2", '"reasonix.io/plugin/V2"'],
    [2, "2"],
    [null, "null"],
  ])("[M2] [case M-02] %j is refused with what came and what was wanted", (apiVersion, shown) => {
    const [problem = ""] = problemsOf({ apiVersion, name: "a" });
    expect(problem).toMatch(/^\/apiVersion: /);
    expect(problem).toContain(`${shown}, wanted "reasonix.io/plugin/v2".`);
  });

  it("[M2] [case M-02] v1 is told that there is no automatic migration", () => {
    expect(problemsOf({ apiVersion: "reasonix.io/plugin/v1", name: "a" })).toEqual([
      '/apiVersion: "reasonix.io/plugin/v1", wanted "reasonix.io/plugin/v2". There is no automatic migration from v1: "reasonix plugin upgrade-manifest <dir>" prints the v2 text to review and save.',
    ]);
  });
});

describe("unknown fields", () => {
  it("[M2] [case M-03] every unknown path of a real manifest is listed at once", () => {
    const manifest = v2({
      compat: {},
      mcpServers: { uni: { command: "x", auto_start: true, startup_timeout_seconds: 5, description: "d" } },
    });
    expect(problemsOf(manifest)).toEqual([
      '/mcpServers/uni/auto_start: unknown field "auto_start", wanted no such field.',
      '/mcpServers/uni/startup_timeout_seconds: unknown field "startup_timeout_seconds", wanted no such field.',
      '/mcpServers/uni/description: unknown field "description", wanted no such field.',
      '/compat: unknown field "compat", wanted no such field.',
    ]);
  });

  it("[M2] [case M-03] near misses are guessed", () => {
    const manifest = v2({ contribute: {}, runtime: { command: "./x", intercept: [], capabilites: [] } });
    expect(problemsOf(manifest)).toEqual([
      '/runtime/intercept: unknown field "intercept", wanted no such field. Did you mean "intercepts"?',
      '/runtime/capabilites: unknown field "capabilites", wanted no such field. Did you mean "capabilities"?',
      '/contribute: unknown field "contribute", wanted no such field. Did you mean "contributes"?',
    ]);
  });

  it("[M2] [case M-06] fields of another tool are listed, and an empty list is legal", () => {
    const manifest = v2({ kitset_name: "k", kitset_domains: [], entry_role: "r", commands: [], skills: "roles" });
    expect(problemsOf(manifest)).toEqual([
      '/kitset_name: unknown field "kitset_name", wanted no such field.',
      '/kitset_domains: unknown field "kitset_domains", wanted no such field.',
      '/entry_role: unknown field "entry_role", wanted no such field.',
    ]);
    expect(problemsOf(v2({ commands: [], skills: "roles" }))).toEqual([]);
  });

  it("[M2] metadata of other tools is accepted", () => {
    const metadata = { author: { name: "x" }, license: "MIT", homepage: "h", repository: "r", keywords: ["k"] };
    expect(problemsOf(v2(metadata))).toEqual([]);
  });
});

describe("the text of the file", () => {
  const good = JSON.stringify(v2({}));
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);

  it("[M2] [case M-07] one byte order mark is accepted, two and UTF-16 are not", () => {
    expect(problemsOf(Buffer.concat([mark, Buffer.from(good)]))).toEqual([]);
    expect(problemsOf(Buffer.concat([mark, mark, Buffer.from(good)]))).toEqual([
      "two byte order marks, wanted at most one: save the file as UTF-8 without BOM.",
    ]);
    const utf16 = "UTF-16 text, wanted UTF-8: save the file as UTF-8.";
    expect(problemsOf(Buffer.from(`\ufeff${good}`, "utf16le"))).toEqual([utf16]);
    expect(problemsOf(Buffer.from(good, "utf16le"))).toEqual([utf16]);
    expect(problemsOf(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual([
      "bytes that are not valid UTF-8, wanted UTF-8: save the file as UTF-8.",
    ]);
  });

  it.each([
    ['{"apiVersion": "x", // why\n"name": "a"}', "line 1, column 21: a comment, wanted JSON without comments."],
    [
      '{"name": "a",}',
      "line 1, column 14: no member name, wanted a name in double quotes (no comma before a closing brace).",
    ],
    ['{"name": "a"\n"b": 1}', "line 2, column 1: no comma, wanted a comma between two entries."],
    ["", "an empty file, wanted a JSON object."],
    ["[".repeat(100_000), "JSON nested too deeply, wanted flat JSON."],
  ])("[M2] %.20j is refused with its place", (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it("[M2] [case M-12] a member that stands twice is refused", () => {
    expect(problemsOf('{"name": "a",\n "contributes": {"skills": [], "skills": []}, "name": "b"}')).toEqual([
      "/contributes/skills: line 2, column 32: the member a second time, wanted each member once.",
      "/name: line 2, column 47: the member a second time, wanted each member once.",
    ]);
  });

  it("[M2] a member named __proto__ is a plain unknown field", () => {
    expect(problemsOf(`{"apiVersion": "${V2}", "name": "a", "__proto__": {"name": "b"}}`)).toEqual([
      '/__proto__: unknown field "__proto__", wanted no such field.',
    ]);
  });
});

describe("members with names of the language", () => {
  it("[M2] are kept or refused like any other", () => {
    const text = `{"apiVersion": "${V2}", "name": "a", "constructor": 1, "mcpServers": {"__proto__": {"command": "x"}}}`;
    expect(problemsOf(text)).toEqual(['/constructor: unknown field "constructor", wanted no such field.']);
    const parsed = parseManifest(encode(text.replace('"constructor": 1, ', "")));
    expect(parsed.ok && Object.keys(parsed.manifest.resources.mcpServers)).toEqual(["__proto__"]);
  });
});

describe("names", () => {
  it.each(["a", "A.b_c-9", "x".repeat(64)])("[M2] %j is a name", (name) => {
    expect(problemsOf({ apiVersion: V2, name })).toEqual([]);
  });

  it.each([
    "",
    "-a",
    "a-",
    ".a",
    "a b",
    "../a",
    "ä",
    "x".repeat(65),
    "con",
    "NUL",
    "com1.txt",
    "<img src=x onerror=alert(1)>",
  ])("[M2] %j is none", (name) => {
    expect(problemsOf({ apiVersion: V2, name })).toHaveLength(1);
  });
});

describe("paths", () => {
  it.each([".", "./", "skills", "./skills/", ".claude/commands", "themes/*.reasonix-theme"])(
    "[M2] [case M-10] %j is accepted",
    (path) => {
      expect(problemsOf(v2({ contributes: { skills: [path] } }))).toEqual([]);
    },
  );

  it.each(["", "..", "../x", "a/../../x", "/etc", "C:\\x", "C:/x", "a\\b", "a\u0000b"])(
    "[M2] [case M-10] %j is refused",
    (path) => {
      expect(problemsOf(v2({ contributes: { skills: [path] } }))).toHaveLength(1);
      expect(problemsOf(v2({ skills: path }))).toHaveLength(1);
    },
  );
});

describe("two places of one thing", () => {
  const server = { command: "x", args: ["1"], env: { A: "1", B: "2" } };
  const reordered = { env: { B: "2", A: "1" }, args: ["1"], command: "x" };

  it("[M2] [M3] [case M-12] identical definitions are one", () => {
    const parsed = parseManifest(
      encode(
        v2({
          contributes: { skills: ["skills", "./skills/"], mcpServers: { s: server } },
          skills: "skills",
          mcpServers: { s: reordered },
        }),
      ),
    );
    expect(parsed).toMatchObject({
      ok: true,
      manifest: { resources: { skills: ["skills"], mcpServers: { s: { type: "stdio", command: "x" } } } },
    });
  });

  it("[M2] [M3] [case M-12] different definitions are a problem that names the key", () => {
    expect(problemsOf(v2({ contributes: { mcpServers: { s: server } }, mcpServers: { s: { command: "y" } } }))).toEqual(
      ["/mcpServers/s: an object, wanted the same definition as /contributes/mcpServers/s, or one of the two."],
    );
  });
});

describe("hooks", () => {
  it("[M3] [case M-14] a wrong key, event, filter or type never widens a hook", () => {
    const hooks = {
      PreToolUse: [
        { matcher: "bash", command: "./guard.sh" },
        { match: "bash", command: "./guard.sh", timeout: "5" },
      ],
    };
    expect(problemsOf(v2({ hooks }))).toEqual([
      '/hooks/PreToolUse/0/matcher: unknown field "matcher", wanted no such field. Did you mean "match"?',
      '/hooks/PreToolUse/1/timeout: "5", wanted an integer of at least 1.',
    ]);
    const [event = "", filter = ""] = problemsOf(
      v2({ hooks: { PreToolUes: [{ command: "x" }], PreToolUse: [{ match: "(bash", command: "x" }] } }),
    );
    expect(event).toMatch(
      /^\/hooks\/PreToolUes: "PreToolUes", wanted one of "SessionStart", .* Did you mean "PreToolUse"\?$/,
    );
    expect(filter).toBe('/hooks/PreToolUse/0/match: "(bash", wanted a regular expression for the whole tool name.');
  });
});

describe("runtime", () => {
  it("[M2] [case S-03] an unknown slot is refused with those that exist, and optional keys have defaults", () => {
    const [problem = ""] = problemsOf(v2({ runtime: { command: "./x", replaces: ["speculation"] } }));
    expect(problem).toBe(
      '/runtime/replaces/0: "speculation", wanted one of "system_prompt", "context", "provider_request", "provider_response", "compaction", "session_policy", "permission", "frontend_events", "tool:<name>", "provider:<name>".',
    );
    expect(parseManifest(encode(v2({ runtime: { command: "./x" } })))).toMatchObject({
      ok: true,
      manifest: {
        runtime: {
          args: [],
          env: {},
          required: false,
          priority: 0,
          timeoutMillis: 0,
          intercepts: [],
          replaces: [],
          declared: null,
          tools: [],
        },
      },
    });
  });

  it.each([
    ["./run.sh"],
    ["bin/server"],
    ["${REASONIX_PLUGIN_ROOT}/sidecar.py"],
    ["/usr/local/bin/deja"],
    ["C:\\Users\\me\\python.exe"],
    ["D:\\code\\server.py"],
    ["bin/x.cmd"],
    ["a/../run.sh"],
  ])("[M2] [case M-13] [case M-08] the command %j is accepted", (command) => {
    expect(problemsOf(runtime({ command }))).toEqual([]);
  });

  it.each([
    [
      "node",
      'PATH is not searched. Name the script itself, such as "./sidecar.mjs": it runs with the host\'s own Node.',
    ],
    ["run.sh", 'PATH is not searched. For a file of the package write "./run.sh".'],
    ['sh -c "echo hi"', "No shell reads the command: name the program here and each argument in args."],
    ["npx", 'PATH is not searched and "npx" is a launcher'],
    ["npx.cmd", 'PATH is not searched and "npx.cmd" is a launcher'],
    ["../out.sh", '"../out.sh" leads out of the root.'],
    ["${REASONIX_PLUGIN_ROOT}/../out.sh", '"${REASONIX_PLUGIN_ROOT}/../out.sh" leads out of the root.'],
    ["${OTHER}", 'PATH is not searched. For a file of the package write "./${OTHER}".'],
  ])("[M2] [case M-13] [case W-01] the command %j is refused with what to write", (command, hint) => {
    const problems = problemsOf(runtime({ command }));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("wanted an absolute path, or a path with a slash inside the plugin's root.");
    expect(problems[0]).toContain(hint);
  });

  it("[M2] tools need their capability, and each name once", () => {
    const tool = { name: "count", description: "d", inputSchema: {} };
    expect(problemsOf(runtime({ tools: [tool, tool], capabilities: ["ui"] }))).toEqual([
      '/runtime/capabilities: an array of 1, wanted a list with "tools". Tools need that capability.',
      '/runtime/tools/1/name: "count", wanted each name once.',
    ]);
    expect(problemsOf(runtime({ tools: [tool], capabilities: ["tools"] }))).toEqual([]);
  });

  it("[M2] a broken manifest still says whether it is required and which slots it claims", () => {
    const parsed = parseManifest(encode(runtime({ required: true, replaces: ["permission", "nonsense"], oops: 1 })));
    expect(parsed).toMatchObject({
      ok: false,
      claims: { hasRuntime: true, required: true, replaces: ["permission"] },
    });
  });
});
