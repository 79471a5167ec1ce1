/** What a look at plugins has to know of this host, its machine, and the person's shell. */
import { builtInToolNames } from "@reasonix-ts/agent";
import type { DoctorOptions } from "@reasonix-ts/plugins";
import { loginPath } from "../login-path.ts";
import { machineOf } from "../machine.ts";
import { pathsOf } from "../paths.ts";
import type { World } from "../world.ts";

export async function pluginDoctorOptions(
  world: World,
): Promise<Pick<DoctorOptions, "home" | "machine" | "knownTools" | "loginPath">> {
  const path = await loginPath(world);
  return {
    home: pathsOf(world.env).home,
    machine: machineOf(world),
    knownTools: builtInToolNames(),
    ...(path === null ? {} : { loginPath: path }),
  };
}
