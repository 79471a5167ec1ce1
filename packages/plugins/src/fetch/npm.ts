/** Packs an npm package with its scripts off, and unpacks what came. */
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { runProgram, StartError } from "@reasonix-ts/process";
import { redactSecrets, stripControls } from "@reasonix-ts/text";
import { PluginError } from "../error.ts";
import { withoutCredentials } from "../source.ts";
import type { FetchContext, Fetched } from "./fetched.ts";
import { unpack } from "./tarball.ts";

const PACK_MILLIS = 300_000;

export async function fetchNpm(spec: string, context: FetchContext): Promise<Fetched> {
  const into = path.join(context.scratch, "packed");
  await mkdir(into, { recursive: true });
  // A relative folder or file means the person's own directory, and npm runs in ours.
  const place = /^\.{0,2}\//.test(spec) || /^\.\.?$/.test(spec) ? path.resolve(context.cwd, spec) : spec;
  const label = withoutCredentials(`npm:${place}`);
  const result = await runProgram({
    command: "npm",
    args: ["pack", "--ignore-scripts", "--silent", "--no-update-notifier", "--pack-destination", into, "--", place],
    cwd: context.scratch,
    env: { ...context.environment, npm_config_ignore_scripts: "true", npm_config_yes: "false" },
    timeoutMillis: PACK_MILLIS,
    windowsLauncher: true,
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  }).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error;
    throw new PluginError("source_unreachable", `npm cannot be started, which ${label} needs: ${error.message}`, error);
  });
  context.signal?.throwIfAborted();
  const [file] = (await readdir(into)).filter((name) => name.endsWith(".tgz"));
  if (result.outcome !== "exited" || result.exit?.code !== 0 || file === undefined) {
    const said = stripControls(redactSecrets(withoutCredentials(result.stderr.text)))
      .trim()
      .slice(-1_000);
    const why =
      result.outcome === "timed_out" ? `no answer within ${PACK_MILLIS / 1_000} s` : said || "npm packed nothing";
    throw new PluginError("source_unreachable", `npm could not pack ${label}: ${why}`);
  }
  return { root: await unpack(path.join(into, file), label, context), folder: "", commit: null, local: false, label };
}
