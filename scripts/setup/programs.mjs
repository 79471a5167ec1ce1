/** The programs that the tests drive; on Debian as root what is missing is installed. */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const INSTALL_DEADLINE = 5 * 60_000;

/** THE table: the program and its Debian package. */
const PROGRAMS = [
  { program: "git", debian: "git" },
  { program: "python3", debian: "python3" },
  { program: "tmux", debian: "tmux" },
  { program: "bwrap", debian: "bubblewrap" },
  { program: "ps", debian: "procps" },
];

/** Installs what is missing where that is possible and names it otherwise. Only tells; never throws. */
export function providePrograms() {
  const missing = PROGRAMS.filter(({ program }) => !isOnPath(program));
  if (missing.length === 0) return;
  const packages = missing.map(({ debian }) => debian);
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version") || !isOnPath("apt-get")) {
    console.log(`missing programs, tests that drive them will fail: ${packages.join(", ")}`);
    return;
  }
  console.log(`installing ${packages.join(", ")} with apt-get`);
  const ok = aptGet(["update", "-qq"]) && aptGet(["install", "-y", "-qq", "--no-install-recommends", ...packages]);
  if (!ok) console.log(`apt-get could not install ${packages.join(", ")}; tests that drive them will fail`);
}

function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync("apt-get", args, {
    env,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: INSTALL_DEADLINE,
  });
  if (status !== 0) console.log(String(stderr ?? "").trim());
  return status === 0;
}

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
