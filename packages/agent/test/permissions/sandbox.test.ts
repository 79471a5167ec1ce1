import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { NO_RULES, type Bubblewrap, type Mode } from "../../src/index.ts";
import { realPathOf } from "../../src/permissions/real-path.ts";
import { confine, findBubblewrap } from "../../src/permissions/sandbox.ts";
import { bench, calls, NOBODY, says, scriptedModel, temporaryFolder } from "../support.ts";

const bubblewrap = await findBubblewrap();

function settings(mode: Mode, found: Bubblewrap) {
  return {
    permissions: {
      mode,
      approvals: "auto",
      rules: NO_RULES,
      addedDirs: [],
      protectedPaths: [],
      network: false,
      bubblewrap: async () => found,
    },
  } as const;
}

async function outputs(mode: Mode, found: Bubblewrap, commands: readonly string[]): Promise<readonly string[]> {
  const { session, of } = await bench({
    models: scriptedModel([...commands.map((command) => calls(["bash", { command }])), says("done")]),
    settings: settings(mode, found),
    person: NOBODY,
  });
  await session.turn("go");
  return of("tool_result").map((event) => event.text);
}

const FACTS = { writable: ["/w"], protectedPaths: ["/w/.git/hooks"], network: false } as const;

describe("confinement", () => {
  it("is none with full access, and absent where nothing confines", () => {
    const found = { found: true, command: "bwrap" } as const;
    expect(confine({ ...FACTS, mode: "danger-full-access", bubblewrap: found })).toEqual({ kind: "none" });
    expect(confine({ ...FACTS, mode: "read-only", bubblewrap: { found: false, why: "not here" } })).toEqual({
      kind: "absent",
      why: "not here",
    });
  });

  it("binds the workspace writable or not, its protected parts never, and cuts the network", () => {
    const found = { found: true, command: "bwrap" } as const;
    const args = (mode: Mode, network = false): string => {
      const confinement = confine({ ...FACTS, mode, network, bubblewrap: found });
      return confinement.kind === "bubblewrap" ? confinement.args.join(" ") : confinement.kind;
    };
    expect(args("workspace-write")).toBe(
      "--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --setenv TMPDIR /tmp --bind-try /w /w " +
        "--bind-try /w/.git /w/.git --ro-bind-try /w/.git/hooks /w/.git/hooks --unshare-pid --unshare-ipc --die-with-parent --new-session " +
        "--unshare-net --tmpfs /run",
    );
    expect(args("read-only")).toContain("--ro-bind-try /w /w");
    expect(args("read-only")).not.toContain("--bind-try /w /w --ro");
    expect(args("workspace-write", true)).not.toContain("--unshare-net");
  });

  it.runIf(bubblewrap.found)("[bubblewrap] lets a command write to the workspace and nowhere else", async () => {
    const folder = await temporaryFolder();
    const results = await outputs("workspace-write", bubblewrap, [
      "echo in > a.txt && cat a.txt",
      `echo out > ${folder}/b.txt`,
      "echo hook > .git/hooks/x || mkdir -p .git/hooks",
      "exec 3<>/dev/tcp/127.0.0.1/22",
      "echo own > /tmp/c && cat /tmp/c",
    ]);
    expect(results[0]).toBe("in");
    expect(results[1]).toMatch(/Read-only file system|No such file/);
    expect(results[3]).toMatch(/Network is unreachable|Connection refused/);
    expect(results[4]).toBe("own");
    await expect(readFile(path.join(folder, "b.txt"))).rejects.toThrow("ENOENT");
    await expect(readFile("/tmp/c")).rejects.toThrow("ENOENT");
  });

  it.runIf(bubblewrap.found)("[bubblewrap] keeps git's hooks where they are, whatever is renamed", async () => {
    const results = await outputs("workspace-write", bubblewrap, [
      "git init -q . && mkdir -p .git/hooks && echo made",
      "mv .git moved && mkdir -p .git/hooks && echo hook > .git/hooks/pre-commit",
      "rm -rf .git/hooks; echo hook > .git/hooks/pre-commit",
      "git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m x && echo committed",
    ]);
    expect(results[0]).toBe("made");
    expect(results[1]).toMatch(/Device or resource busy/);
    expect(results[2]).toMatch(/Read-only file system/);
    expect(results[3]).toBe("committed");
  });

  it.runIf(bubblewrap.found)("[bubblewrap] lets a command look at the workspace in read-only mode", async () => {
    const results = await outputs("read-only", bubblewrap, ["ls -d . && touch a.txt"]);
    expect(results[0]).toMatch(/^\.\n.*Read-only file system/s);
  });

  it("refuses a headless command with a clear text where nothing confines it", async () => {
    expect(await outputs("workspace-write", { found: false, why: "bubblewrap is not installed" }, ["ls"])).toEqual([
      "bash was refused: commands cannot be confined here: bubblewrap is not installed, and nobody is here to be asked. " +
        "Add a permission rule that allows it, or choose another permission mode.",
    ]);
  });
});

describe("where a path ends", () => {
  it("follows links of what exists, of what does not exist yet, and of links to nowhere", async () => {
    const folder = await temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    await mkdir(at("real"));
    await writeFile(at("real/file"), "");
    await symlink("real", at("dir"));
    await symlink("real/new", at("dangling"));
    await symlink("loop", at("loop"));
    expect(await realPathOf(at("dir/file"))).toBe(at("real/file"));
    expect(await realPathOf(at("dir/not/yet"))).toBe(at("real/not/yet"));
    expect(await realPathOf(at("dangling"))).toBe(at("real/new"));
    expect(await realPathOf(at("none/a/b"))).toBe(at("none/a/b"));
    await expect(realPathOf(at("loop"))).rejects.toThrow(/ELOOP|links/);
  });
});
