/** What belongs to another system is installed, told, and stops nobody: seen from both sides. */
import { expect, it } from "vitest";
import { examinePlugins, installedRuntimes, installPlugins } from "../src/index.ts";
import { bench, MACHINE, temporary, V2, write } from "./support/workbench.ts";

it.each([
  ["win32", "/usr/bin/env", "warning foreign_path"],
  ["win32", "./run.sh", "warning wrong_system"],
  ["linux", "C:\\Users\\me\\python.exe", "warning foreign_path"],
  ["linux", "bin\\x.cmd", null],
  ["linux", "bin/x.bat", "warning wrong_system"],
] as const)("[M2] [case M-08] on %s a command %j is %s", async (platform, command, finding) => {
  const { home, place, request } = bench();
  const machine = { ...MACHINE, platform };
  const source = write(temporary(), {
    "reasonix-plugin.json": { apiVersion: V2, name: "far", runtime: { command } },
    "run.sh!": "#!/bin/sh\nexec cat\n",
    "bin/x.bat": "@echo off\r\n",
  });
  const installing = installPlugins(request(source), { ...place, machine });
  if (finding === null) {
    // A path with a backslash is one of Windows, or no path: it is refused with what to write.
    await expect(installing).rejects.toThrow("wanted an absolute path, or a path with a slash inside");
    return;
  }
  await installing;
  const report = await examinePlugins({ home, machine });
  const told = report.plugins.flatMap(({ findings }) => findings.map(({ severity, code }) => `${severity} ${code}`));
  expect([report.ok, told.filter((one) => !one.startsWith("note"))]).toEqual([true, [finding]]);
  const { specs, broken } = await installedRuntimes(home, machine);
  expect([specs, broken.map(({ plugin, required }) => [plugin, required])]).toEqual([[], [["far", false]]]);
});
