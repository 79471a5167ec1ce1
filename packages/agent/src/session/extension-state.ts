/** `<session>.extensions.json`: which extensions a session knew, its model, and the surfaces that were shown. */
import { readJsonFile, writeJsonFile } from "@reasonix-ts/files";
import {
  decodeTolerant,
  integer,
  json,
  list,
  object,
  optional,
  record,
  string,
  type Infer,
} from "@reasonix-ts/protocol";

export const EXTENSION_STATE_VERSION = 1;

const ExtensionState = object({
  version: integer({ min: 1 }),
  plugins: record(object({ version: string, stateSchemaVersion: integer({ min: 0 }) })),
  model: optional(string),
  surfaces: optional(list(json)),
});
export type ExtensionState = Infer<typeof ExtensionState>;

/** Null where there is none, or one that cannot be understood: it is never needed to open a session. */
export async function readExtensionState(file: string): Promise<ExtensionState | null> {
  const read = await readJsonFile(file);
  if (read.state !== "valid") return null;
  const decoded = decodeTolerant(ExtensionState, read.value);
  return decoded.ok && decoded.value.version <= EXTENSION_STATE_VERSION ? decoded.value : null;
}

export async function writeExtensionState(file: string, state: ExtensionState): Promise<void> {
  await writeJsonFile(file, state, { mode: 0o600 });
}
