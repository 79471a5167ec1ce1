/** This machine, as the library of plugins wants to know it. */
import type { Machine } from "@reasonix-ts/plugins";
import type { World } from "./world.ts";

export function machineOf({ env }: Pick<World, "env">): Machine {
  return { platform: process.platform, arch: process.arch, node: process.execPath, environment: env };
}
