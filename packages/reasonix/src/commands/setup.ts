/** `reasonix setup`: asks for a provider and its key, and stores them so that the next run uses them. */
import { writeFileAtomic } from "@reasonix-ts/files";
import type { Parsed } from "../args.ts";
import { usage } from "../args.ts";
import { judgeUserConfig } from "../config.ts";
import { readOptionalFile } from "../optional-file.ts";
import { pathsOf } from "../paths.ts";
import { readAll } from "../read-all.ts";
import { parseToml } from "../toml.ts";
import { CommandError, EXIT, type World } from "../world.ts";
import { planSetup, presetProblems, PRESETS, type Preset } from "./setup-plan.ts";

export async function setup(parsed: Parsed, world: World): Promise<number> {
  const paths = pathsOf(world.env);
  const before = {
    env: (await readOptionalFile(paths.env)) ?? "",
    config: (await readOptionalFile(paths.config)) ?? "",
  };
  const judged = judgeUserConfig(parseToml(before.config, paths.config), paths.config);
  if (judged.errors.length > 0) {
    throw new CommandError(`${paths.config} has wrong values: ${judged.errors.join("; ")}. Mend them first.`);
  }
  const choice = await choose(parsed, world);
  if (choice === null) return EXIT.interrupted;
  const after = planSetup(before, choice, {
    providers: judged.value.providers ?? [],
    defaultModel: judged.value.default_model,
  });
  if (after.env !== before.env) await writeFileAtomic(paths.env, after.env, { mode: 0o600 });
  if (after.config !== before.config) await writeFileAtomic(paths.config, after.config);
  const model = `${choice.preset.name}/${choice.preset.models[0] ?? ""}`;
  world.stdout.write(
    `${choice.key === null ? "No key was stored." : `The key is in ${paths.env} as ${choice.preset.keyName}, readable by you alone.`}\n` +
      `The provider is in ${paths.config}. Try: reasonix run --model ${model} "hello"\n`,
  );
  return EXIT.done;
}

interface Choice {
  readonly preset: Preset;
  readonly key: string | null;
}

async function choose(parsed: Parsed, world: World): Promise<Choice | null> {
  const wanted = parsed.text("provider");
  const custom = parsed.text("base-url");
  const model = parsed.text("model");
  const named = wanted === undefined ? null : presetOf(wanted, custom, model);
  if (world.stdin.isTTY !== true) {
    if (named === null) {
      throw usage(
        "setup",
        `Without a terminal, name the provider and pipe the key: reasonix setup --provider ${PRESETS[0]?.name ?? ""} < key.txt.`,
      );
    }
    const key = (await readAll(world.stdin)).trim();
    return { preset: named, key: key === "" ? null : key };
  }
  return askPerson(named);
}

function presetOf(name: string, baseUrl: string | undefined, model: string | undefined): Preset {
  const chosen = unjudgedPreset(name, baseUrl, model);
  const problems = presetProblems(chosen);
  if (problems.length > 0) {
    throw usage("setup", `That is no provider that can be used: ${problems.join("; ")}. Nothing was changed.`);
  }
  return chosen;
}

function unjudgedPreset(name: string, baseUrl: string | undefined, model: string | undefined): Preset {
  const preset = PRESETS.find((entry) => entry.name === name);
  if (preset !== undefined) {
    return {
      ...preset,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(model === undefined ? {} : { models: [model] }),
    };
  }
  if (baseUrl === undefined || model === undefined) {
    throw usage(
      "setup",
      `"${name}" is none of ${PRESETS.map((entry) => entry.name).join(", ")}; for another OpenAI-compatible server give --base-url and --model too.`,
    );
  }
  return customPreset(name, baseUrl, model);
}

function customPreset(name: string, baseUrl: string, model: string): Preset {
  const words = `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_API_KEY`;
  // A variable's name does not begin with a digit.
  const keyName = /^[0-9]/.test(words) ? `_${words}` : words;
  return { name, label: name, kind: "openai", baseUrl, models: [model], keyName };
}

/** What a new provider is asked for, each judged by the rules that the configuration is read with. */
const QUESTIONS: readonly { readonly message: string; readonly sample: (answer: string) => Preset }[] = [
  { message: "A short name for it", sample: (name) => customPreset(name, "http://127.0.0.1/v1", "m") },
  {
    message: "Its base URL, such as http://127.0.0.1:8080/v1",
    sample: (url) => customPreset("a", url, "m"),
  },
  { message: "A model it offers", sample: (model) => customPreset("a", "http://127.0.0.1/v1", model) },
];

/** What is wrong with an answer, for the wizard to ask again; undefined when nothing is. */
export function answerProblem(question: number, answer: string): string | undefined {
  if (answer.trim() === "") return "Please type something.";
  const sample = QUESTIONS[question]?.sample(answer);
  return sample === undefined ? undefined : presetProblems(sample)[0];
}

async function askPerson(named: Preset | null): Promise<Choice | null> {
  const { isCancel, password, select, text } = await import("@clack/prompts");
  let preset = named;
  if (preset === null) {
    const name = await select({
      message: "Which provider answers?",
      options: [
        ...PRESETS.map((entry) => ({ value: entry.name, label: entry.label })),
        { value: "other", label: "another OpenAI-compatible server" },
      ],
    });
    if (isCancel(name)) return null;
    if (name === "other") {
      const answers: string[] = [];
      for (const [index, { message }] of QUESTIONS.entries()) {
        const answer = await text({ message, validate: (value) => answerProblem(index, value ?? "") });
        if (isCancel(answer)) return null;
        answers.push(answer);
      }
      preset = presetOf(answers[0] ?? "", answers[1], answers[2]);
    } else {
      preset = presetOf(name, undefined, undefined);
    }
  }
  const key = await password({ message: `Your key (${preset.keyName}); leave empty if it needs none`, mask: "•" });
  if (isCancel(key)) return null;
  return { preset, key: (key ?? "") === "" ? null : key };
}
