/** /reload and /extensions. */
import type { ReloadResult } from "@reasonix-ts/host";
import { setPluginEnabled, toggleText } from "@reasonix-ts/plugins";
import { extensionsLines, extensionsReport } from "../extensions/report.ts";
import { pathsOf } from "../paths.ts";
import { receiptLine } from "../receipts-file.ts";
import type { Talk, TalkCommand } from "./talk.ts";

export const reloadCommand: TalkCommand = {
  name: "reload",
  usage: "",
  summary: "start the installed extensions anew",
  whileBusy: true,
  run: (_rest, talk) => reload(talk),
};

/** While something runs, exactly one reload waits for its end; the conversation goes on meanwhile. */
async function reload({ runtime, say, stoppable }: Talk): Promise<void> {
  if (!runtime.busy) {
    say(reloadLines(await stoppable((signal) => runtime.askReload({ signal }).result)));
    return;
  }
  const asked = runtime.askReload();
  if (asked.wasQueued) {
    say([`A reload is queued already; it waits for the end of ${asked.awaits ?? "what runs"}.`]);
    return;
  }
  say([`The reload is queued: it waits for the end of ${asked.awaits ?? "what runs"}.`]);
  asked.result.then(
    (result) => say(reloadLines(result)),
    (error: unknown) => say([`The reload failed: ${error instanceof Error ? error.message : String(error)}`]),
  );
}

export function reloadLines(result: ReloadResult): readonly string[] {
  const plugins = result.plugins.map(({ name, oldPid, newPid, error }) => {
    if (error !== undefined) return `  ${name}: ${error}`;
    const pids = newPid === undefined ? "gone" : `pid ${newPid}`;
    return `  ${name}: ${oldPid === undefined ? "" : `pid ${oldPid} -> `}${pids}`;
  });
  if (result.kind === "done") {
    return [
      result.plugins.length === 0
        ? "Reloaded: no extension is installed."
        : `Reloaded: generation ${result.generation} is live.`,
      ...plugins,
    ];
  }
  const told = plugins.length === 0 ? result.failures.map(({ message }) => `  ${message}`) : plugins;
  return [
    result.generation === 0
      ? "The reload failed; turns are refused until one succeeds."
      : `The reload failed; generation ${result.generation} goes on as it is.`,
    ...told,
  ];
}

export const extensionsCommand: TalkCommand = {
  name: "extensions",
  usage: "[enable|disable …]",
  summary: "who is loaded, or switch one on or off",
  whileBusy: true,
  async run(rest, talk) {
    const { runtime, world, say } = talk;
    if (rest === "") {
      const { failures, problems, receipts } = runtime;
      const about = { failures, problems, receipts: receipts.map(receiptLine) };
      say(extensionsLines(extensionsReport(runtime.extensions.diagnostics(), about)));
      return;
    }
    const [verb, plugin, ...more] = rest.split(/\s+/);
    if ((verb !== "enable" && verb !== "disable") || plugin === undefined || more.length > 0) {
      say(["/extensions enable <plugin> or /extensions disable <plugin>"]);
      return;
    }
    const report = await setPluginEnabled(pathsOf(world.env).home, plugin, verb === "enable");
    say([...toggleText(report).trimEnd().split("\n"), "/reload makes it so in this session."]);
  },
};
