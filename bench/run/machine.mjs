/** What kind of machine the figures are from; never its name. */
import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, release, totalmem } from "node:os";

export function machineOf(root) {
  const [load = 0] = loadavg();
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${process.arch}, kernel ${release()}`,
    node: process.versions.node,
    load: load.toFixed(1),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim(),
    day: new Date().toISOString().slice(0, 10),
  };
}
