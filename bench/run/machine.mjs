/** What kind of machine the figures are from; never its name. */
import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";

export function machineOf(root) {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${process.arch}, kernel ${release()}`,
    node: process.versions.node,
    load: loadNow(),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim(),
    day: new Date().toISOString().slice(0, 10),
  };
}

/** Programs that want a core, over the last minute. */
export function loadNow() {
  const [load = 0] = loadavg();
  return load.toFixed(1);
}
