import { describe, expect, test } from "vitest";
import { windowsCandidates, windowsLaunch } from "../src/index.ts";

describe("[M3] launchers of MCP servers on Windows", () => {
  test("[case W-01] a bare name is looked for in PATH with every ending, in order", () => {
    const env = { Path: "C:\\a;;C:\\b c", PathExt: ".EXE;.CMD" };
    expect(windowsCandidates("npx", "C:\\w", env)).toEqual([
      "C:\\a\\npx.EXE",
      "C:\\a\\npx.CMD",
      "C:\\b c\\npx.EXE",
      "C:\\b c\\npx.CMD",
    ]);
    expect(windowsCandidates("npx.cmd", "C:\\w", env)).toEqual(["C:\\a\\npx.cmd", "C:\\b c\\npx.cmd"]);
    expect(windowsCandidates(".\\bin\\x.bat", "C:\\w", env)).toEqual(["C:\\w\\bin\\x.bat"]);
    expect(windowsCandidates("C:\\x y\\tool", "C:\\w", {})).toEqual([
      "C:\\x y\\tool.COM",
      "C:\\x y\\tool.EXE",
      "C:\\x y\\tool.BAT",
      "C:\\x y\\tool.CMD",
    ]);
  });

  test("[case W-01] a program is started as it is", () => {
    expect(windowsLaunch("C:\\n\\node.exe", ["a&b", "%PATH%"])).toEqual({
      file: "C:\\n\\node.exe",
      args: ["a&b", "%PATH%"],
      verbatim: false,
    });
  });

  test.each([
    ["plain", '^^^"plain^^^"'],
    ["a b", '^^^"a^^^ b^^^"'],
    ["a&b", '^^^"a^^^&b^^^"'],
    ["%PATH%", '^^^"^^^%PATH^^^%^^^"'],
    ["a^b", '^^^"a^^^^b^^^"'],
    ['"&calc&"', '^^^"\\^^^"^^^&calc^^^&\\^^^"^^^"'],
    ["C:\\dir\\", '^^^"C:\\dir\\\\^^^"'],
    ['a\\"b', '^^^"a\\\\\\^^^"b^^^"'],
    ["!x!", '^^^"^^^!x^^^!^^^"'],
    ["", '^^^"^^^"'],
  ])("[case W-01] %j stays literal through both readings", (argument, escaped) => {
    expect(windowsLaunch("C:\\x y\\tool.bat", [argument], "C:\\Windows\\cmd.exe")).toEqual({
      file: "C:\\Windows\\cmd.exe",
      args: ["/d", "/s", "/c", `"C:\\x^ y\\tool.bat ${escaped}"`],
      verbatim: true,
    });
  });

  test("[case W-01] taking the carets off twice, as the command processor does, gives the program's own quoting back", () => {
    const unescape = (text: string): string => text.replace(/\^([\s\S])/g, "$1");
    const { args } = windowsLaunch("C:\\t.cmd", ['a "b" & c^d %e% \\', "f|g"]);
    const line = (args[3] ?? "").slice(1, -1);
    expect(unescape(unescape(line))).toBe('C:\\t.cmd "a \\"b\\" & c^d %e% \\\\" "f|g"');
  });

  test.each([["a\nb"], ["a\rb"], ["a\0b"]])("[case W-01] %j cannot be passed and is refused", (argument) => {
    expect(() => windowsLaunch("C:\\t.CMD", [argument])).toThrow(/line end or NUL/);
  });
});
