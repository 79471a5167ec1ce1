/** Installs plugins: fetches, measures, decides, and with consent copies or links. */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { copyTree, digestTree } from "@reasonix-ts/files";
import { commitCopy, recover, record } from "../disk/commit.ts";
import { readIdentities, type Identity } from "../disk/identities.ts";
import { absoluteRoot, copiedRoot, isCopy, layoutOf, type Layout } from "../disk/layout.ts";
import { readRegistry, withRegistry } from "../disk/registry.ts";
import { findRow, type PluginRow } from "../disk/rows.ts";
import { stagingName } from "../disk/staging.ts";
import { translated } from "../disk/translate.ts";
import { PluginError } from "../error.ts";
import { fetchSource } from "../fetch/fetch.ts";
import type { Fetched } from "../fetch/fetched.ts";
import { programsOf } from "../package/programs.ts";
import { currentOf } from "./current.ts";
import { LEFT_OUT, measure, PACKAGE_BYTES } from "./measure.ts";
import { decide, nextRow, type Candidate, type Installed } from "./plan.ts";
import { removeTree } from "../disk/remove-tree.ts";
import type { InstallAction, InstallReport, InstallRequest, Workplace } from "./request.ts";
import { selectPackages } from "./select.ts";

/**
 * With `preview` the home keeps every byte. With `yes` each action that is not refused is carried out; a process that
 * dies on the way leaves the old plugin or the new one. Throws PluginError when there is nothing to decide about.
 */
export async function installPlugins(request: InstallRequest, place: Workplace): Promise<InstallReport> {
  return translated(() => install(request, place));
}

async function install(request: InstallRequest, place: Workplace): Promise<InstallReport> {
  const scratch = await mkdtemp(path.join(place.temporary, "reasonix-plugin-"));
  try {
    const layout = layoutOf(place.home);
    const fetched = await fetchInto(request.source, path.join(scratch, "0"), place);
    refuseLink(request, fetched);
    let pinned = 0;
    const fetchPinned = (source: string): Promise<Fetched> =>
      fetchInto(source, path.join(scratch, String(++pinned)), place);
    const { selected, skipped } = await selectPackages(fetched, request.name ?? null, fetchPinned);
    const candidates: Candidate[] = [];
    for (const one of selected) {
      candidates.push(await measure(one, request.link === true ? "link" : "copy", layout, place.machine, place.signal));
    }
    const actions = await planned(candidates, layout, request, place);
    const report = { source: fetched.label, actions, skipped, applied: false, setAside: null };
    return request.consent === "preview" ? report : await apply(report, layout, request, place);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function fetchInto(source: string, scratch: string, place: Workplace): Promise<Fetched> {
  await mkdir(scratch, { recursive: true });
  const { cwd, machine, signal } = place;
  return fetchSource(source, {
    cwd,
    scratch,
    environment: machine.environment,
    ...(signal === undefined ? {} : { signal }),
  });
}

function refuseLink(request: InstallRequest, fetched: Fetched): void {
  if (request.link !== true || fetched.local) return;
  throw new PluginError(
    "usage",
    `${fetched.label} cannot be linked: only a folder of this machine can. Leave out --link.`,
  );
}

async function planned(
  candidates: readonly Candidate[],
  layout: Layout,
  request: InstallRequest,
  place: Workplace,
): Promise<readonly InstallAction[]> {
  const { rows } = await readRegistry(layout);
  const actions: InstallAction[] = [];
  for (const candidate of candidates) actions.push(await actionFor(candidate, rows, layout, request, place));
  return actions;
}

async function actionFor(
  candidate: Candidate,
  rows: readonly PluginRow[],
  layout: Layout,
  request: InstallRequest,
  place: Workplace,
): Promise<InstallAction> {
  const row = findRow(rows, candidate.name) ?? null;
  const installed = row === null ? null : await installedOf(row, layout, place);
  const root = candidate.mode === "link" ? candidate.from : copiedRoot(candidate.name);
  const verdict = decide(candidate, installed, request.replace === true);
  const gets = candidate.trust?.gets ?? [];
  return {
    ...verdict,
    candidate,
    root,
    to: absoluteRoot(layout, root),
    enabled: row?.enabled ?? true,
    inherits: row?.source === candidate.source ? [] : gets,
  };
}

async function installedOf(row: PluginRow, layout: Layout, place: Workplace): Promise<Installed> {
  const identity = (await readIdentities(layout)).get(row.name) ?? null;
  const { trust, content, loaded } = await currentOf(layout, row, identity, place.machine);
  const programs = loaded.ok ? programsOf(loaded.package) : [];
  return { row, trust, programs, sha256: identity?.tree?.sha256 ?? null, intact: content === "intact" };
}

async function apply(
  report: InstallReport,
  layout: Layout,
  request: InstallRequest,
  place: Workplace,
): Promise<InstallReport> {
  const actions: InstallAction[] = [];
  let { setAside } = report;
  let applied = false;
  for (const action of report.actions) {
    const done =
      action.verdict === "install" || action.verdict === "replace"
        ? await applyOne(action.candidate, layout, request, place)
        : { action, setAside: null };
    actions.push(done.action);
    setAside ??= done.setAside;
    applied ||= done.action.verdict === "install" || done.action.verdict === "replace";
  }
  return { ...report, actions, applied, setAside };
}

interface Applied {
  readonly action: InstallAction;
  readonly setAside: string | null;
}

/** The copy is made beside its place and without the lock; what is then true of the home is read again under it. */
async function applyOne(
  candidate: Candidate,
  layout: Layout,
  request: InstallRequest,
  place: Workplace,
): Promise<Applied> {
  const staged = candidate.mode === "link" ? null : await stage(candidate, layout, place);
  try {
    const purpose = `plugin install ${candidate.name}`;
    return await withRegistry(
      layout,
      purpose,
      async (registry) => {
        const rows = await recover(layout, registry);
        const action = await actionFor(candidate, rows, layout, request, place);
        if (action.verdict !== "install" && action.verdict !== "replace") return { action, setAside: null };
        const old = findRow(rows, candidate.name) ?? null;
        const row = nextRow(candidate, action.root, old);
        const open = { ...registry, rows };
        if (staged !== null) {
          return { action, setAside: await commitCopy(layout, open, staged, row, identityOf(candidate)) };
        }
        const setAside = await record(layout, open, row, identityOf(candidate));
        if (old !== null && isCopy(old.root)) await removeTree(layout, old.root);
        return { action, setAside };
      },
      place.signal,
    );
  } finally {
    if (staged !== null) await rm(staged, { recursive: true, force: true });
  }
}

async function stage(candidate: Candidate, layout: Layout, place: Workplace): Promise<string> {
  const staged = path.join(layout.plugins, stagingName(process.pid, randomBytes(6).toString("hex")));
  const signal = place.signal === undefined ? {} : { signal: place.signal };
  await copyTree(candidate.from, staged, { ignore: LEFT_OUT, maxBytes: PACKAGE_BYTES, ...signal });
  const copied = await digestTree(staged, signal);
  if (copied.sha256 === candidate.tree?.sha256) return staged;
  await rm(staged, { recursive: true, force: true });
  throw new PluginError(
    "source_invalid",
    `${candidate.from} changed while it was copied. Nothing was installed; try again.`,
  );
}

function identityOf(candidate: Candidate): Identity {
  const { tree, commit, trust } = candidate;
  return {
    ...(tree === null ? {} : { tree }),
    ...(commit === null ? {} : { commit }),
    ...(trust === null ? {} : { runtime: { required: trust.required, replaces: trust.slots } }),
  };
}
