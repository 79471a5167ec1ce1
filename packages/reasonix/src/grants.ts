/** `<home>/grants.json`: what a person allowed for always, kept apart for each workspace. */
import { readJsonFile, withLock, writeJsonFile } from "@reasonix-ts/files";
import { decodeTolerant, integer, list, nonEmpty, object, record, type Infer } from "@reasonix-ts/protocol";
import { CommandError } from "./world.ts";

const Grants = object({ version: integer({ min: 1 }), workspaces: record(list(nonEmpty)) });
type Grants = Infer<typeof Grants>;

const NONE: Grants = { version: 1, workspaces: {} };

/** The rules that were granted for a workspace; a file that cannot be understood grants nothing and says so. */
export async function readGrants(file: string, workspaceRoot: string): Promise<readonly string[]> {
  return (await read(file)).workspaces[workspaceRoot] ?? [];
}

export async function addGrants(file: string, workspaceRoot: string, rules: readonly string[]): Promise<void> {
  await withLock(file, async () => {
    const { version, workspaces } = await read(file);
    const kept = workspaces[workspaceRoot] ?? [];
    const added = rules.filter((rule) => !kept.includes(rule));
    if (added.length === 0) return;
    await writeJsonFile(
      file,
      { version, workspaces: { ...workspaces, [workspaceRoot]: [...kept, ...added] } },
      { mode: 0o600 },
    );
  });
}

async function read(file: string): Promise<Grants> {
  const found = await readJsonFile(file);
  if (found.state === "missing") return NONE;
  const decoded = found.state === "valid" ? decodeTolerant(Grants, found.value) : null;
  if (decoded === null || !decoded.ok) {
    throw new CommandError(
      `${file} is not understood, so that no grant in it counts. Mend it, or move it away to begin anew.`,
    );
  }
  return decoded.value;
}
