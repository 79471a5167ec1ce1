/** `reasonix plugin <verb>`: thin, over the library that does it. */
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { nearMiss } from "@reasonix-ts/text";
import {
  CONSENT_HINT,
  doctorText,
  examinePlugins,
  installPlugins,
  installText,
  listPlugins,
  listText,
  PluginError,
  removePlugin,
  removeText,
  setPluginEnabled,
  showPlugin,
  showText,
  toggleText,
  updatePlugins,
  updateText,
  upgradedText,
  upgradeManifestIn,
  upgradeNotesText,
  type Workplace,
} from "@reasonix-ts/plugins";
import type { Parsed } from "../args.ts";
import { usage } from "../args.ts";
import { machineOf } from "../machine.ts";
import { pathsOf } from "../paths.ts";
import { CommandError, EXIT, type World } from "../world.ts";
import { jsonText } from "../json-text.ts";
import { columnsOf, wrapLines } from "../wrap.ts";

/** What a verb works with. */
interface Task {
  readonly words: readonly string[];
  readonly parsed: Parsed;
  readonly place: Workplace;
  readonly world: World;
}

/** What a verb answers: data for `--json`, text for people, and how it ends. */
interface Outcome {
  readonly data: unknown;
  readonly text: string;
  readonly exitCode?: number;
  /** Told on stderr beside either form. */
  readonly hint?: string;
  /** Whether the text is there to be copied, line by line. */
  readonly verbatim?: boolean;
}

type Verb = (task: Task) => Promise<Outcome>;

const VERBS: { readonly [name: string]: Verb } = {
  install,
  update,
  list,
  show,
  doctor,
  enable: (task) => toggle(task, true),
  disable: (task) => toggle(task, false),
  remove,
  uninstall: remove,
  env,
  "upgrade-manifest": upgrade,
};

export async function plugin(parsed: Parsed, world: World): Promise<number> {
  const [verb = "", ...words] = parsed.words;
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (run === undefined) throw unknownVerb(verb);
  const { home } = pathsOf(world.env);
  const place: Workplace = { home, cwd: world.cwd, machine: machineOf(world), temporary: tmpdir() };
  try {
    const outcome = await run({ words, parsed, place, world });
    world.stdout.write(parsed.flag("json") ? `${jsonText(outcome.data, 2)}\n` : shown(outcome, world));
    if (outcome.hint !== undefined) world.stderr.write(`reasonix: ${outcome.hint}\n`);
    return outcome.exitCode ?? EXIT.done;
  } catch (error) {
    if (error instanceof PluginError) {
      throw new CommandError(error.message, error.reason === "usage" ? EXIT.usage : EXIT.failed, { cause: error });
    }
    throw error;
  }
}

function shown({ text, verbatim }: Outcome, { stdout }: World): string {
  return verbatim === true ? text : wrapLines(text.split("\n"), columnsOf(stdout)).join("\n");
}

async function install({ words, parsed, place }: Task): Promise<Outcome> {
  const source = only(words, "install", "a source: a folder, git:host/owner/repo[@ref], a tarball, or npm:<name>");
  const consent = parsed.flag("yes") && !parsed.flag("dry-run") ? "yes" : "preview";
  const name = parsed.text("name");
  const report = await installPlugins(
    {
      source,
      consent,
      link: parsed.flag("link"),
      replace: parsed.flag("replace"),
      ...(name === undefined ? {} : { name }),
    },
    place,
  );
  const refused = report.actions.some((action) => action.verdict === "refused");
  const asked = parsed.flag("yes") || parsed.flag("dry-run");
  return {
    data: report,
    text: installText(report),
    exitCode: refused ? EXIT.failed : asked ? EXIT.done : EXIT.usage,
    ...(asked || refused ? {} : { hint: CONSENT_HINT }),
  };
}

async function update({ words, parsed, place }: Task): Promise<Outcome> {
  const consent = parsed.flag("yes") && !parsed.flag("dry-run") ? "yes" : "preview";
  const report = await updatePlugins(words, consent, place);
  const failed = report.updates.some(({ verdict }) => verdict === "failed");
  const waits = report.updates.some(({ verdict }) => verdict === "update");
  const asked = parsed.flag("yes") || parsed.flag("dry-run") || !waits;
  return {
    data: report,
    text: updateText(report),
    exitCode: failed ? EXIT.failed : asked ? EXIT.done : EXIT.usage,
    ...(asked || failed ? {} : { hint: CONSENT_HINT }),
  };
}

async function doctor({ words, parsed, world }: Task): Promise<Outcome> {
  const live = parsed.flag("live") ? (await import("../live-trial.ts")).tryLive : null;
  const { pluginDoctorOptions } = await import("../doctor/plugin-options.ts");
  const report = await examinePlugins({
    ...(await pluginDoctorOptions(world)),
    names: words,
    ...(live === null ? {} : { live: (spec) => live(spec, world) }),
  });
  return { data: report, text: doctorText(report), exitCode: report.ok ? EXIT.done : EXIT.failed };
}

async function env({ words, place, world }: Task): Promise<Outcome> {
  const { envText, pluginEnv } = await import("./plugin-env.ts");
  const report = await pluginEnv(words, place.home, world);
  return { data: report, text: envText(report) };
}

/** The new text alone goes to stdout, so that it can be redirected into a file. */
async function upgrade({ words, place }: Task): Promise<Outcome> {
  const folder = resolve(place.cwd, only(words, "upgrade-manifest", "a folder with a manifest"));
  const report = await upgradeManifestIn(folder);
  const exitCode = report.ok && report.remaining.length === 0 ? EXIT.done : EXIT.failed;
  return {
    data: report,
    text: upgradedText(report),
    verbatim: true,
    hint: upgradeNotesText(report).trimEnd(),
    exitCode,
  };
}

async function list({ place }: Task): Promise<Outcome> {
  const listing = await listPlugins(place.home);
  return { data: listing, text: listText(listing) };
}

async function show({ words, place }: Task): Promise<Outcome> {
  const details = await showPlugin(place.home, only(words, "show", "a plugin's name"), place.machine);
  return { data: details, text: showText(details) };
}

async function toggle({ words, parsed, place }: Task, enabled: boolean): Promise<Outcome> {
  const name = only(words, enabled ? "enable" : "disable", "a plugin's name");
  const report = await setPluginEnabled(place.home, name, enabled, { dryRun: parsed.flag("dry-run") });
  return { data: report, text: toggleText(report) };
}

async function remove({ words, parsed, place }: Task): Promise<Outcome> {
  const name = only(words, "remove", "a plugin's name");
  const report = await removePlugin(place.home, name, { dryRun: parsed.flag("dry-run") });
  return { data: report, text: removeText(report) };
}

function only(words: readonly string[], verb: string, what: string): string {
  const [word, ...more] = words;
  if (word === undefined) throw usage(`plugin ${verb}`, `plugin ${verb} wants ${what}.`);
  if (more.length > 0)
    throw usage(`plugin ${verb}`, `plugin ${verb} takes one thing at a time, not also "${more.join(" ")}".`);
  return word;
}

function unknownVerb(verb: string): CommandError {
  const names = Object.keys(VERBS);
  const near = nearMiss(verb, names);
  const said = verb === "" ? "Say what to do with plugins" : `plugin has no verb "${verb}"`;
  return usage("plugin", `${said}${near === null ? "" : `; did you mean ${near}`}: ${names.join(", ")}.`);
}
