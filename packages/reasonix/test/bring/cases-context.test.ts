/** What a sidecar is started with: folder, arguments, environment; and whose session it is over /new. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

interface Context {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
}

async function contextOf(home: Home, plugin: string): Promise<Context> {
  const noted = (await home.log(plugin)).findLast((entry) => entry["cwd"] !== undefined);
  if (noted === undefined) throw new Error(`${plugin} noted nothing`);
  // The fixture's own note.
  return noted as unknown as Context;
}

it("[X4] [L1] [case M-13] the workspace, the root in arguments and variables, and the whole environment under its own", async () => {
  const home = await openHome({ INHERITED: "from the shell", OVERRIDDEN: "from the shell", DEEPSEEK_API_KEY: "held" });
  const env = {
    OVERRIDDEN: "from the manifest",
    DATA: "${REASONIX_PLUGIN_ROOT}/data",
    LITERAL: "$HOME ${OTHER}",
    REASONIX_PLUGIN_NAME: "not mine to choose",
  };
  const args = ["--root=${REASONIX_PLUGIN_ROOT}", "$HOME", "a b; echo c"];
  const root = await home.plugin("mine", "context.mjs", { intercepts: ["input.receive"], args, env });
  await home.plugin("other", "context.mjs", { intercepts: ["input.receive"] });
  await writeFile(path.join(home.home, ".env"), "ONLY_OF_THE_HOST=kept\n");
  expect((await home.reasonix(["plugin", "env", "mine", "set", "TOKEN_OF_MINE"], "hidden\n")).code).toBe(0);
  expect((await home.reasonix(["run", "hi"])).code).toBe(0);

  const mine = await contextOf(home, "mine");
  expect(mine.cwd).toBe(home.workspace);
  expect(mine.argv).toEqual([`--root=${root}`, "$HOME", "a b; echo c"]);
  expect(mine.env).toMatchObject({
    INHERITED: "from the shell",
    OVERRIDDEN: "from the manifest",
    // Nothing of the environment is held back: docs say so plainly.
    DEEPSEEK_API_KEY: "held",
    DATA: `${root}/data`,
    LITERAL: "$HOME ${OTHER}",
    TOKEN_OF_MINE: "hidden",
    REASONIX_PLUGIN_ROOT: root,
    REASONIX_PLUGIN_NAME: "mine",
    REASONIX_PLUGIN_VERSION: "1.0.0",
  });
  const other = await contextOf(home, "other");
  expect(other.env).toMatchObject({ OVERRIDDEN: "from the shell", REASONIX_PLUGIN_NAME: "other" });
  for (const { env: given } of [mine, other]) expect(given).not.toHaveProperty("ONLY_OF_THE_HOST");
  expect(other.env).not.toHaveProperty("TOKEN_OF_MINE");
});

it("[U4] [R1] surfaces go on over /new: the session of the handshake outlives what is stored", async () => {
  const home = await openHome();
  await home.plugin("paint", "surfaces.mjs", { intercepts: ["input.receive"], capabilities: ["interceptors", "ui"] });
  const { stdout } = await home.reasonix([], "show\n/new\nshow\n");
  expect(stdout).toContain("A new session: ");
  const log = await home.log("paint");
  const replies = log.flatMap(({ result }) => (result === undefined ? [] : [result]));
  expect(replies).toEqual(Array.from({ length: 8 }, () => ({ accepted: true })));
  expect(log.filter(({ method }) => method === "extension/initialize")).toHaveLength(1);
  const asked = log.filter(({ method }) => method === "extension/intercept");
  const stored = asked.map(({ _meta }) => (_meta as { readonly sessionId: string }).sessionId);
  expect(new Set(stored).size).toBe(2);
});
