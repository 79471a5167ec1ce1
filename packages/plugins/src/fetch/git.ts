/** Fetches one commit of a git repository, with nothing of it run and nobody asked for a password. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { inspectCommand, runProgram, StartError, type RunResult } from "@reasonix-ts/process";
import { redactSecrets, stripControls } from "@reasonix-ts/text";
import { PluginError } from "../error.ts";
import { withoutCredentials, type GitSource } from "../source.ts";
import { splitTree } from "./tree-ref.ts";
import type { FetchContext, Fetched } from "./fetched.ts";

/** A slow line and a big repository; git itself gives up on a dead line much sooner. */
const FETCH_MILLIS = 300_000;

export async function fetchGit(source: GitSource, context: FetchContext): Promise<Fetched> {
  const url = localUrl(source.url, context.cwd);
  const git = gitIn(path.join(context.scratch, "repository"), context, await gitEnvironment(context), url);
  await mkdir(git.directory, { recursive: true });
  await git.run(["init", "--quiet", "--template=", "."]);
  const { ref, folder } = source.tree === null ? source : splitTree(source.tree, await refsOf(git));
  const wanted = ref ?? "HEAD";
  await git.run(
    ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, wanted],
    async (result) => {
      // A commit that is no tip cannot be asked for everywhere: then all of it is fetched.
      if (!/^[0-9a-f]{7,64}$/.test(wanted)) throw git.failure(result);
      await git.run(["fetch", "--quiet", "--no-recurse-submodules", "--", url, "+refs/*:refs/fetched/*"]);
      await git.run(["update-ref", "FETCH_HEAD", wanted]);
    },
  );
  await git.run(["checkout", "--quiet", "--detach", "FETCH_HEAD"]);
  const commit = (await git.run(["rev-parse", "HEAD"])).trim();
  return { root: git.directory, folder, commit, local: false, label: labelOf(source, url) };
}

/** Reads back to the same source, from any directory. */
function labelOf(source: GitSource, url: string): string {
  const address = url === source.url && !path.isAbsolute(url) ? url : `git:${url}`;
  if (source.tree !== null) return withoutCredentials(`${address}/tree/${source.tree}`);
  return withoutCredentials(source.ref === null ? address : `${address}@${source.ref}`);
}

/** Names of branches and tags. */
async function refsOf(git: Git): Promise<readonly string[]> {
  const listing = await git.run(["ls-remote", "--quiet", "--heads", "--tags", "--", git.url]);
  return [...listing.matchAll(/\trefs\/(?:heads|tags)\/(\S+)$/gm)].map(([, name]) => name ?? "");
}

interface Git {
  readonly directory: string;
  readonly url: string;
  /** Standard output. `otherwise` may mend a failure; without it a failure throws. */
  run(args: readonly string[], otherwise?: (result: RunResult) => Promise<void>): Promise<string>;
  failure(result: RunResult): PluginError;
}

function gitIn(directory: string, context: FetchContext, env: FetchContext["environment"], url: string): Git {
  const failure = (result: RunResult): PluginError => gitFailure(withoutCredentials(url), result);
  return {
    directory,
    url,
    failure,
    async run(args, otherwise) {
      const result = await runProgram({
        command: "git",
        args: [...SAFE, ...args],
        cwd: directory,
        env,
        timeoutMillis: FETCH_MILLIS,
        maxOutputBytes: 8_388_608,
        ...(context.signal === undefined ? {} : { signal: context.signal }),
      }).catch(async (error: unknown) => {
        if (error instanceof StartError) throw await gitMissing(env, error);
        throw error;
      });
      context.signal?.throwIfAborted();
      if (result.outcome === "exited" && result.exit?.code === 0) return result.stdout.text;
      if (otherwise === undefined) throw failure(result);
      await otherwise(result);
      return "";
    },
  };
}

/** No hook, no helper program of the repository's choosing, no file monitor. */
const SAFE = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "protocol.ext.allow=never",
  "-c",
  "credential.interactive=false",
  "-c",
  "advice.detachedHead=false",
  "-c",
  "gc.auto=0",
];

/**
 * The person's environment without git's local variables, which would make git work on another repository; GIT_SSH_COMMAND
 * and the like stay. Nothing may prompt: git itself is told so, and ssh finds no terminal in a process group of its own.
 */
async function gitEnvironment(context: FetchContext): Promise<FetchContext["environment"]> {
  const inherited = context.environment;
  const listing = await runProgram({
    command: "git",
    args: ["rev-parse", "--local-env-vars"],
    cwd: context.scratch,
    env: { ...inherited, GIT_DIR: undefined },
    timeoutMillis: 30_000,
  }).catch(async (error: unknown) => {
    if (error instanceof StartError) throw await gitMissing(inherited, error);
    throw error;
  });
  const local = new Set(listing.stdout.text.split("\n").filter((name) => name !== ""));
  const kept = Object.fromEntries(Object.entries(inherited).filter(([name]) => !local.has(name)));
  return {
    ...kept,
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: kept["GIT_ASKPASS"] ?? "",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_LFS_SKIP_SMUDGE: "1",
    LC_ALL: "C",
  };
}

/** A path is made absolute, because git runs in a directory of its own. */
function localUrl(url: string, cwd: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[\w.-]+@[\w.-]+:/.test(url)) return url;
  return path.resolve(cwd, url);
}

async function gitMissing(env: FetchContext["environment"], error: StartError): Promise<PluginError> {
  const facts = await inspectCommand({ command: "git", env });
  if (facts.resolved !== null) {
    return new PluginError("source_unreachable", `git at ${facts.resolved} cannot be started: ${error.message}`, error);
  }
  const searched = facts.searchPath.length === 0 ? "PATH is empty" : `searched: ${facts.searchPath.join(":")}`;
  return new PluginError(
    "source_unreachable",
    `git is not installed, or not in PATH (${searched}). Install git, or download the package and install its folder.`,
    error,
  );
}

function gitFailure(url: string, result: RunResult): PluginError {
  if (result.outcome === "timed_out") {
    return new PluginError(
      "source_unreachable",
      `git did not finish fetching ${url} within ${FETCH_MILLIS / 1_000} s. Try again later.`,
    );
  }
  const said = stripControls(redactSecrets(withoutCredentials(result.stderr.text)))
    .trim()
    .slice(-1_000);
  const code = result.exit?.code ?? "unknown";
  return new PluginError(
    "source_unreachable",
    `git could not fetch ${url} (exit code ${code}): ${said} ${adviceFor(said)}`,
  );
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /could not resolve host|failed to connect|network is unreachable|connection (?:refused|timed out|reset)/i,
    "The network cannot be reached: check the connection and any proxy.",
  ],
  [
    /repository .*not found|not appear to be a git repository|does not exist|HTTP 404|returned error: 404/i,
    "Check the address, and whether the repository is private.",
  ],
  [
    /authentication failed|could not read (?:username|password)|permission denied|terminal prompts disabled|returned error: 40[13]/i,
    "Give git access first, for instance with a credential helper or an ssh key.",
  ],
  [
    /couldn't find remote ref|unknown revision|not our ref|invalid refspec|not a valid/i,
    "Check the name of the branch, tag or commit.",
  ],
];

function adviceFor(said: string): string {
  return ADVICE.find(([pattern]) => pattern.test(said))?.[1] ?? "";
}
