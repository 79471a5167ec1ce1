import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { installPlugins, listPlugins, removePlugin, updatePlugins, updateText, type Workplace } from "../src/index.ts";
import {
  bench,
  checksum,
  commit,
  git,
  goodPackage,
  MACHINE,
  repository,
  temporary,
  V2,
  write,
} from "./support/workbench.ts";

function withEnvironment(place: Workplace, environment: Workplace["machine"]["environment"]): Workplace {
  return { ...place, machine: { ...place.machine, environment } };
}

function bare(repo: string): string {
  const folder = path.join(temporary("plugins-bare-"), "repo.git");
  git(repo, "clone", "--quiet", "--bare", repo, folder);
  return folder;
}

describe("git", () => {
  it("[M1] installs from a bare repository, at a branch, a tag, a commit and a /tree/ address", async () => {
    const repo = repository({ ...goodPackage({ version: "1.0.0" }) });
    const first = git(repo, "rev-parse", "HEAD").trim();
    git(repo, "tag", "v1");
    git(repo, "checkout", "--quiet", "-b", "feature/sub");
    write(
      repo,
      Object.fromEntries(
        Object.entries(goodPackage({ name: "inner", version: "3.0.0" })).map(([file, text]) => [
          `integrations/in/${file}`,
          text,
        ]),
      ),
    );
    commit(repo, "inner");
    git(repo, "checkout", "--quiet", "main");
    write(repo, goodPackage({ version: "2.0.0" }));
    const head = commit(repo, "second");
    const url = bare(repo);
    const { home, place, request } = bench();
    const rows: readonly (readonly [string, string, string | null])[] = [
      [url, "2.0.0", head],
      [`git:${url}@v1`, "1.0.0", first],
      [`git:${url}@${first}`, "1.0.0", first],
      [`file://${url}#main`, "2.0.0", head],
    ];
    for (const [source, version, at] of rows) {
      await installPlugins(request(source, { replace: true }), place);
      expect((await listPlugins(home)).plugins).toMatchObject([{ version, commit: at }]);
    }
    await installPlugins(request(`file://${url}/tree/feature/sub/integrations/in`), place);
    expect((await listPlugins(home)).plugins.map(({ name, version }) => [name, version])).toEqual([
      ["inner", "3.0.0"],
      ["rt-good", "2.0.0"],
    ]);
    expect(existsSync(path.join(home, "plugins/inner/.git"))).toBe(false);
    expect(readdirSync(place.temporary)).toEqual([]);
    expect((await updatePlugins([], "yes", place)).updates.map(({ verdict }) => verdict)).toEqual([
      "unchanged",
      "unchanged",
    ]);
  });

  it("[M1] [case N-02] the same version with other content is an update, and nothing old is reused after a removal", async () => {
    const repo = repository(goodPackage());
    const url = bare(repo);
    const { home, place, request } = bench();
    await installPlugins(request(url), place);
    const [before] = (await listPlugins(home)).plugins;
    write(repo, goodPackage({ runtime: { intercepts: ["input.receive", "tool.before"] } }));
    write(repo, { "run.sh!": "#!/bin/sh\nexec cat -u\n" });
    const head = commit(repo, "second");
    git(repo, "push", "--quiet", url, "main");

    const preview = await updatePlugins(["rt-good"], "preview", place);
    expect((await listPlugins(home)).plugins).toEqual([before]);
    expect(updateText(preview)).toContain(
      `  trust:        gained intercepts tool.before\n  trust:        changed the command's file\n`,
    );
    const applied = await updatePlugins([], "yes", place);
    expect(applied).toMatchObject({
      applied: true,
      updates: [{ name: "rt-good", verdict: "update", version: "1.0.0", to: { version: "1.0.0", commit: head } }],
    });
    const [after] = (await listPlugins(home)).plugins;
    expect(after?.sha256).not.toBe(before?.sha256);
    expect(readFileSync(path.join(home, "plugins/rt-good/run.sh"), "utf8")).toBe("#!/bin/sh\nexec cat -u\n");

    write(repo, { "run.sh!": "#!/bin/sh\nexec cat -n\n" });
    commit(repo, "third");
    git(repo, "push", "--quiet", url, "main");
    await removePlugin(home, "rt-good");
    await installPlugins(request(url), place);
    expect(readFileSync(path.join(home, "plugins/rt-good/run.sh"), "utf8")).toBe("#!/bin/sh\nexec cat -n\n");
  });

  it("[M1] [case N-07] tells a missing git, a missing repository, a missing ref and a refusing network apart, and writes nothing", async () => {
    const { home, place, request } = bench();
    const url = bare(repository(goodPackage()));
    const failing = async (source: string, environment = MACHINE.environment): Promise<string> =>
      installPlugins(request(source), withEnvironment(place, environment)).then(
        () => "it was installed",
        (error: unknown) => String(error),
      );
    expect(await failing(url, { ...MACHINE.environment, PATH: "/nowhere:/neither" })).toContain(
      "git is not installed, or not in PATH (searched: /nowhere:/neither).",
    );
    expect(await failing("file:///nowhere/repo.git")).toMatch(
      /could not fetch file:\/\/\/nowhere\/repo\.git .*does not appear to be a git repository.*Check the address/s,
    );
    expect(await failing(`git:${url}@no-such`)).toMatch(
      /couldn't find remote ref no-such.*Check the name of the branch/s,
    );
    const offline = await failing("https://user:tok-fixture@127.0.0.1:1/o/r");
    expect(offline).toMatch(/could not fetch https:\/\/127\.0\.0\.1:1\/o\/r .*The network cannot be reached/s);
    expect(offline).not.toContain("tok-fixture");
    expect(checksum(home)).toBe("none");
    expect(readdirSync(place.temporary)).toEqual([]);
  });

  it("[M1] [case N-07] finds a git at a user's own place", async () => {
    const { home, place, request } = bench();
    const bin = temporary();
    symlinkSync(execFileSync("which", ["git"], { encoding: "utf8" }).trim(), path.join(bin, "git"));
    await installPlugins(
      request(bare(repository(goodPackage()))),
      withEnvironment(place, { ...MACHINE.environment, PATH: `${bin}:/usr/bin` }),
    );
    expect((await listPlugins(home)).plugins).toHaveLength(1);
  });

  it("[M1] [case N-13] every install stands alone: home in a work tree with a space, inherited GIT_DIR, hooks of the user's template", async () => {
    const outer = repository({ "readme.md": "x" });
    const home = path.join(outer, "a home");
    const { place, request } = bench({ home });
    const trap = path.join(temporary(), "ran");
    const hook = `#!/bin/sh\ntouch '${trap}'\n`;
    const template = write(temporary(), { "hooks/post-checkout!": hook });
    const environment = {
      ...MACHINE.environment,
      GIT_DIR: path.join(outer, ".git"),
      GIT_WORK_TREE: outer,
      GIT_INDEX_FILE: path.join(outer, "index"),
      GIT_TEMPLATE_DIR: template,
    };
    const before = git(outer, "status", "--porcelain");
    for (const name of ["one", "two"]) {
      await installPlugins(
        request(bare(repository(goodPackage({ name })))),
        withEnvironment({ ...place, cwd: home }, environment),
      );
    }
    expect((await listPlugins(home)).plugins.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(git(outer, "rev-list", "--all", "--count").trim()).toBe("1");
    expect(before).toBe("");
    expect(existsSync(trap)).toBe(false);
    expect(existsSync(path.join(outer, "index"))).toBe(false);
  });

  it("[M1] [case N-05] the limit counts the chosen folder; the root names the packages below it", async () => {
    const inner = Object.fromEntries(
      Object.entries(goodPackage()).map(([file, text]) => [`integrations/reasonix/${file}`, text]),
    );
    const repo = repository({ ...inner, "assets/blob.bin": Buffer.alloc(25 * 1_048_576, 7) });
    const url = `file://${bare(repo)}`;
    const { home, place, request } = bench();
    await expect(installPlugins(request(url), place)).rejects.toThrow(
      `Packages were found below it; install one of them:\n  reasonix plugin install ${url}/tree/HEAD/integrations/reasonix`,
    );
    await installPlugins(request(`${url}/tree/HEAD/integrations/reasonix`), place);
    expect((await listPlugins(home)).plugins).toHaveLength(1);
  });
});

/** An environment in which github.com/o/r is a repository of this machine. */
function withGithub(place: Workplace, url: string): Workplace {
  const config = path.join(temporary(), "gitconfig");
  writeFileSync(config, `[url "file://${url}"]\n  insteadOf = https://github.com/o/r\n`);
  return withEnvironment(place, { ...MACHINE.environment, GIT_CONFIG_GLOBAL: config });
}

describe("short addresses", () => {
  it("[M1] git:github.com/o/r is recorded so that an update finds it again", async () => {
    const repo = repository(goodPackage());
    const url = bare(repo);
    const { home, place, request } = bench();
    const github = withGithub(place, url);
    await installPlugins(request("git:github.com/o/r@main"), github);
    expect((await listPlugins(home)).plugins).toMatchObject([{ source: "https://github.com/o/r@main" }]);
    write(repo, goodPackage({ version: "1.1.0" }));
    commit(repo, "second");
    git(repo, "push", "--quiet", url, "main");
    expect((await updatePlugins([], "yes", github)).updates).toMatchObject([
      { verdict: "update", to: { version: "1.1.0" } },
    ]);
  });

  it("[M1] a marketplace entry pinned to a full commit is fetched at that commit", async () => {
    const repo = repository(goodPackage());
    const pinned = git(repo, "rev-parse", "HEAD").trim();
    write(repo, goodPackage({ version: "2.0.0" }));
    commit(repo, "second");
    const { home, place, request } = bench();
    const source = { source: "github", repo: "o/r", sha: pinned };
    const market = write(temporary(), {
      ".claude-plugin/marketplace.json": { name: "m", plugins: [{ name: "far", source }] },
    });
    await installPlugins(request(market), withGithub(place, bare(repo)));
    expect((await listPlugins(home)).plugins).toMatchObject([
      { name: "far", version: "1.0.0", commit: pinned, source: `https://github.com/o/r@${pinned}` },
    ]);
  });

  it("[M1] what was fetched cannot be linked", async () => {
    const { place, request } = bench();
    const failure = installPlugins(request(bare(repository(goodPackage())), { link: true }), place);
    await expect(failure).rejects.toMatchObject({
      reason: "usage",
      message: expect.stringContaining("Leave out --link."),
    });
  });
});

describe("folders", () => {
  it("[M1] [case N-05] a package over the limit is refused with its size and its biggest files", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), { ...goodPackage(), "big.bin": Buffer.alloc(25 * 1_048_576), "small.bin": "x" });
    const failure = installPlugins(request(source, { consent: "preview" }), place);
    await expect(failure).rejects.toThrow(
      /holds 25 MiB in 4 files, and at most 20 MiB are installed\. Its biggest files:\n {2}25 MiB {2}big\.bin\n/,
    );
    expect(checksum(home)).toBe("none");
  });

  it("[M1] devices, FIFOs and links that leave the package are refused, and nothing is written", async () => {
    const { home, place, request } = bench();
    const fifo = write(temporary(), goodPackage());
    execFileSync("mkfifo", [path.join(fifo, "pipe")]);
    await expect(installPlugins(request(fifo), place)).rejects.toThrow("pipe is a device, FIFO or socket");
    const link = write(temporary(), goodPackage());
    symlinkSync("../../etc", path.join(link, "out"));
    await expect(installPlugins(request(link), place)).rejects.toThrow("out is a link to ../../etc, outside");
    expect(existsSync(path.join(home, "plugin-packages.json"))).toBe(false);
  });

  it("[M1] a manifest that is broken is refused with every problem, and nothing is written", async () => {
    const { home, place, request } = bench();
    const source = write(temporary(), { "reasonix-plugin.json": { name: "x y", oops: 1 } });
    await expect(installPlugins(request(source), place)).rejects.toThrow(
      /cannot be used:\n {2}\/apiVersion: nothing.*\n {2}\/name: "x y".*\n {2}\/oops: unknown field/s,
    );
    expect(checksum(home)).toBe("none");
  });

  it("[M1] [case N-13] a working directory that is gone does not matter to an absolute source", async () => {
    const { home, place, request } = bench();
    const gone = temporary();
    rmSync(gone, { recursive: true });
    await installPlugins(request(write(temporary(), goodPackage())), { ...place, cwd: gone });
    expect((await listPlugins(home)).plugins).toHaveLength(1);
  });
});

describe("archives and npm", () => {
  it("[M1] installs a tar file, packed or not, and keeps execute bits", async () => {
    const source = write(temporary(), { "package/x": "" });
    write(path.join(source, "package"), goodPackage());
    const { home, place, request, cwd } = bench();
    execFileSync("tar", ["-czf", path.join(cwd, "p.tgz"), "-C", source, "package"]);
    execFileSync("tar", ["-cf", path.join(cwd, "p.tar"), "-C", path.join(source, "package"), "."]);
    for (const file of ["p.tgz", "./p.tar"]) {
      await installPlugins(request(file, { replace: true }), place);
      expect((await listPlugins(home)).plugins).toMatchObject([
        { name: "rt-good", source: path.join(cwd, path.basename(file)) },
      ]);
      expect(execFileSync(path.join(home, "plugins/rt-good/run.sh"), { input: "hi", encoding: "utf8" })).toBe("hi");
    }
  });

  it("[M1] an archive that reaches out or is cut is refused, and nothing is written", async () => {
    const { home, place, request, cwd } = bench();
    const source = write(temporary(), goodPackage());
    symlinkSync("/etc/passwd", path.join(source, "leak"));
    execFileSync("tar", ["-czf", path.join(cwd, "leak.tgz"), "-C", source, "."]);
    await expect(installPlugins(request("leak.tgz"), place)).rejects.toThrow('link "./leak" leads out of the archive');
    writeFileSync(path.join(cwd, "cut.tgz"), readFileSync(path.join(cwd, "leak.tgz")).subarray(0, 60));
    await expect(installPlugins(request("cut.tgz"), place)).rejects.toThrow(/cut\.tgz cannot be unpacked: /);
    expect(checksum(home)).toBe("none");
  });

  it("[M1] downloads an archive, and says what a server answered instead", async () => {
    const source = write(temporary(), goodPackage());
    const file = path.join(temporary(), "p.tgz");
    execFileSync("tar", ["-czf", file, "-C", source, "."]);
    const server = createServer((incoming, answer) => {
      if (incoming.url === "/p.tgz?token=tok-fixture") answer.end(readFileSync(file));
      else answer.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const address = server.address();
      const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
      const { home, place, request } = bench();
      await installPlugins(request(`${base}/p.tgz?token=tok-fixture`), place);
      expect((await listPlugins(home)).plugins).toMatchObject([{ name: "rt-good", source: `${base}/p.tgz?token=…` }]);
      await expect(installPlugins(request(`${base}/gone.tgz`), place)).rejects.toThrow(`${base}/gone.tgz answered 404`);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    const { place, request } = bench();
    await expect(installPlugins(request("http://127.0.0.1:1/p.tgz"), place)).rejects.toThrow(
      "http://127.0.0.1:1/p.tgz cannot be downloaded: ",
    );
  });

  it("[M1] packs an npm package without running its scripts", async () => {
    const { home, place, request } = bench();
    const trap = path.join(temporary(), "ran");
    const touch = `node -e "require('fs').writeFileSync('${trap}', '')"`;
    const source = write(temporary(), {
      ...goodPackage(),
      "package.json": {
        name: "reasonix-good",
        version: "1.0.0",
        scripts: { prepare: touch, prepack: touch, postpack: touch },
      },
    });
    await installPlugins(request(`npm:${source}`), place);
    expect((await listPlugins(home)).plugins).toMatchObject([{ name: "rt-good", source: `npm:${source}` }]);
    expect(existsSync(trap)).toBe(false);
    await expect(installPlugins(request(`npm:${path.join(source, "nowhere")}`), place)).rejects.toThrow(
      /npm could not pack/,
    );
  });
});

describe("a name of the package", () => {
  it("[M1] [case S-03] a preview of an unknown slot fails, and nothing is written", async () => {
    const { home, place, request } = bench();
    const manifest = { apiVersion: V2, name: "spec", runtime: { command: "./x", replaces: ["speculation"] } };
    const source = write(temporary(), { "reasonix-plugin.json": manifest });
    await expect(installPlugins(request(source, { consent: "preview" }), place)).rejects.toThrow(
      '/runtime/replaces/0: "speculation", wanted one of "system_prompt"',
    );
    mkdirSync(home);
    expect(readdirSync(home)).toEqual([]);
  });
});
