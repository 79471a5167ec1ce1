import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openHome, type Home } from "./support/command.ts";

const SMALL = "plugin/lab/lab/small";

async function labHome(): Promise<Home> {
  const home = await openHome();
  await home.plugin("lab", "model.mjs", { capabilities: ["providers"] });
  return home;
}

describe("a model of an extension in the command", () => {
  it.each([
    ["--model", async () => ["--model", SMALL]],
    [
      "default_model of the user",
      async ({ config }: Home) => {
        await config(`default_model = "${SMALL}"\n`);
        return [];
      },
    ],
    [
      "default_model of a project, among those that the user has",
      async ({ file }: Home) => {
        await file("reasonix.toml", `default_model = "${SMALL}"\n`);
        return [];
      },
    ],
  ])("[P2] answers on the very first boot by %s", async (_name, choose) => {
    const home = await labHome();
    const options = await choose(home);
    const { code, stdout } = await home.reasonix(["run", "--output-format", "json", ...options, "hello"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "done",
      text: "you said hello",
      model: SMALL,
      currency: "EUR",
      cost: 0.0021,
      usage: { promptTokens: 1000, cacheHitTokens: 600, reasoningTokens: 20 },
    });
  });

  it("[P1] [P2] is listed with its window, prices and abilities, and marked where it is chosen", async () => {
    const { reasonix, config } = await labHome();
    await config(`default_model = "${SMALL}"\n`);
    const { code, stdout } = await reasonix(["models"]);
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.replace(/ +/g, " "))).toContain(
      `* ${SMALL} 32k tokens, 2 in / 10 out per million EUR, vision, reasoning`,
    );
    const listed: { default: string; models: { ref: string }[] } = JSON.parse(
      (await reasonix(["models", "--json"])).stdout,
    );
    expect(listed.default).toBe(SMALL);
    expect(listed.models.map(({ ref }) => ref)).toEqual(["offline/scripted", SMALL, "plugin/lab/lab/plain"]);
    expect(listed.models[1]).toMatchObject({ efforts: ["low", "high"], defaultEffort: "low", cacheHitPerMillion: 0.5 });
  });

  it("[P1] gets the effort of the command line", async () => {
    const { reasonix } = await labHome();
    const { stdout } = await reasonix(["run", "--model", SMALL, "--effort", "high", "tell"]);
    expect(JSON.parse(stdout)).toMatchObject({ model: "small-1", effort: "high" });
  });

  it("[P2] takes over in the middle of a conversation, by /model", async () => {
    const { reasonix } = await labHome();
    const typed = ["one", `/model ${SMALL} high`, "two", "/model plugin/lab/lab/smal", "/quit"];
    const { code, stdout } = await reasonix([], `${typed.join("\n")}\n`);
    expect(code).toBe(0);
    expect(stdout).toContain("You said: one");
    expect(stdout).toContain(`From now on ${SMALL} answers, with effort high.`);
    expect(stdout).toContain("you said two");
    expect(stdout).toContain(`There is no model plugin/lab/lab/smal. Did you mean "${SMALL}"?`);
  });

  it("[P9] [P11] that is not there fails its turn by name: the plugin gone, disabled, or not started", async () => {
    const { reasonix, folder } = await labHome();
    const failing = async (...options: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await reasonix(["run", ...options, "hello"]);
      expect([code, stdout]).toEqual([1, ""]);
      return stderr;
    };
    expect(await failing("--model", "plugin/gone/x/y")).toContain('The model "plugin/gone/x/y" is not available');
    expect(await failing("--model", SMALL, "--safe")).toContain("no running plugin lab offers it");
    await writeFile(path.join(folder, "plugins/lab/sidecar.mjs"), "process.exit(5);\n");
    const stderr = await failing("--model", SMALL);
    expect(stderr).toContain(`The model ${JSON.stringify(SMALL)} is not available`);
    expect(stderr).toContain("exit code 5");
  });

  it("[P8] [X4] hears nothing of the keys that the host keeps for others", async () => {
    const { reasonix, config, home, folder } = await labHome();
    const key = "sk-fixture0123456789abcdef0123456789";
    await config(
      `[[providers]]\nname = "other"\nkind = "openai"\nbase_url = "http://127.0.0.1:9/v1"\nmodels = ["m"]\napi_key_env = "OTHER_API_KEY"\n`,
    );
    await writeFile(path.join(home, ".env"), `OTHER_API_KEY=${key}\n`);
    expect((await reasonix(["run", "--model", SMALL, "hello"])).code).toBe(0);
    const log = await readFile(path.join(folder, "lab.log"), "utf8");
    expect(log).toContain('"environment"');
    expect(log).not.toContain(key);
    expect(log).not.toContain("other/m");
  });

  it("[M7] is noted beside the session with who ran; a session without extensions has no such file", async () => {
    const { reasonix, home } = await labHome();
    const stateOf = async (...options: readonly string[]): Promise<unknown> => {
      const { stdout } = await reasonix(["run", "--output-format", "json", ...options, "hello"]);
      const { sessionId }: { sessionId: string } = JSON.parse(stdout);
      const file = path.join(home, "sessions-ts", `${sessionId}.extensions.json`);
      return readFile(file, "utf8").then(JSON.parse, () => null);
    };
    expect(await stateOf("--model", SMALL)).toEqual({
      version: 1,
      model: SMALL,
      plugins: { lab: { version: "1.0.0", stateSchemaVersion: 0 } },
    });
    expect(await stateOf("--safe")).toBeNull();
  });
});
